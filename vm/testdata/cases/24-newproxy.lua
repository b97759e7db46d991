local p = newproxy(true)
getmetatable(p).__index = { k = 1 }
print(newproxy(p).k, newproxy(newproxy(p)).k, getmetatable(newproxy()), newproxy(p) == p)
print(pcall(newproxy, newproxy(false)))
print(pcall(newproxy, newproxy(nil)))
