for i = 1, 2 do
  local function get() return i end
  do if true then goto s end end
  ::s::
  local function set() i = i + 10 end
  set()
  print(i, get())
end
do
  local x = 1
  local function get() return x end
  for k = 1, 3 do
    local y = k
    local f = function() return y end
    if k == 2 then goto cont end
    x = x + f()
    ::cont::
  end
  x = 50
  print(x, get())
end
do
  local x = 1
  local function get() return x end
  local n = 0
  ::top::
  n = n + 1
  local z = n
  local g = function() return z end
  if n < 3 then goto top end
  x = 7
  print(get(), g())
end
