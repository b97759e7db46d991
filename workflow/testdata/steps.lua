return { count = function(list) return #list end }
