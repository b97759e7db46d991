local a = 1; local b = 2; print(a, b);
local function f(t) return t end print(f{1}[1], f"str", f[[long]], (f)(3)) do print "do" end if a == 1 then elseif a == 2 then else end local t = {f = f, ["end"] = 1, and_ = 2} print(t["end"], t.and_) print(({1, 2, 3})[2], ("x"):rep(2), #{1, 2})

return print("returned")
