print([[a
b]], #[[
first newline dropped]], [==[x]]y]=]z]==], #[[

]]) print("a\65\066\0671", "\t|\\|\"|\'|\a|\b|\f|\v" == "\9|\92|\34|\39|\7|\8|\12|\11", #"\0\00\000", "line\
two", 'single "quoted"', "it's") --[[ block
comment ]] print "after" --[==[ another
]] still ]==] print "after2" -- line
print(#"\r\n", ("\z"):len()) print(loadstring('return "\\300"')) print(loadstring("return 'abc")) print(loadstring("return [[abc")) print(loadstring("x = 'a\nb'")) print(loadstring("--[[ unfinished")) print(loadstring("return [=x]"))
print(#[[a]b]], [[]])
