--- catch gets the error value, finally runs last
local p = flow.try {
  function() print("try") error("no", 0) end, --> try
  catch = function(err) print("catch", err.name, err.message) return "caught" end, --> catch	Error	no
  finally = function() print("finally") return "ignored" end, --> finally
}
print(p:await()) --> caught
--- failure while several siblings run
local function sibling(name)
  local ok, err = pcall(flow.sleep, "1h")
  print(name, err.name, err.cause.message)
end
flow.try {
  function()
    flow.spawn(sibling, "a") --> a	CancelledError	it broke
    flow.spawn(sibling, "b") --> b	CancelledError	it broke
    flow.spawn(function() flow.sleep(1) error("it broke", 0) end)
    flow.spawn(function() flow.activity("slow")("3600") end)
    flow.sleep("2h")
  end,
  catch = function(err) print("catch", err.message, flow.now() % 60) end, --> catch	it broke	1
}
--- an error thrown in catch
flow.try {
  function()
    flow.try {
      function() error("one", 0) end,
      catch = function() error("two", 0) end,
      finally = function() print("inner finally") end, --> inner finally
    }
  end,
  catch = function(err) print("outer", err.message) end, --> outer	two
}
--- an error thrown in finally replaces the one before
flow.try {
  function()
    flow.try {
      function() error("one", 0) end,
      finally = function() error("three", 0) end,
    }
  end,
  catch = function(err) print(err.message) end, --> three
}
--- an uncaught error ends the run at its line
flow.spawn(function()
  error("broken") --- error: Error: broken
end)
flow.sleep(5)
--- identity through catch, rethrow and pcall
local low = flow.error("Low", "5 missing", { details = { 5 } })
local p = flow.try {
  function()
    return flow.try {
      function()
        local ok, err = pcall(function()
          flow.spawn(function() flow.spawn(function() error(low) end):await() end):await()
        end)
        print(ok, err == low) --> false	true
        error(err)
      end,
      catch = function(err) print(err == low) error(err) end, --> true
    }:await()
  end,
  catch = function(err) print(err == low, err.details[1]) error(err) end, --> true	5
}
local ok, err = pcall(p.await, p)
print(ok, err == low) --> false	true
--- pcall gets what was raised, catch an error value with it
local t = { code = 7 }
local p = flow.spawn(function() error(t) end)
local ok, err = pcall(p.await, p)
print(err == t) --> true
flow.try {
  function() flow.spawn(error, t):await() end,
  catch = function(err) print(err.name, err.value == t, err.message) end, --> Error	true	a table was raised
}:await()
flow.try {
  function() error({ name = "Custom", message = "mine" }) end,
  catch = { Custom = function(err) print(err) end }, --> Custom: mine
}:await()
for _, v in ipairs { 42, true, "text" } do
  flow.try {
    function() error(v, 0) end,
    catch = function(err) print(err.value == v, err.message) end, --> true	42
  }:await() --> true	true
end --> true	text
--- nil can be raised
flow.try {
  function() error(nil) end,
  catch = function(err) print(err.name, err.message, err.value) end, --> Error	nil	nil
}
--- a string has its position for pcall, its text for catch
local p = flow.spawn(function() error("deep") end)
print(pcall(p.await, p)) --> false	test.lua:2: deep
flow.try {
  function() error("deep") end,
  catch = function(err) print(err.message, err.value) end, --> deep	test.lua:5: deep
}
--- a string raised again is still the same failure
local function fails() error("deep") end
flow.try {
  function()
    local ok, err = pcall(function() flow.spawn(fails):await() end)
    error(err, 0)
  end,
  catch = function(err) print((err:trace():gsub("\n.*", "", 1))) print(err:trace():find("test.lua:2", 1, true) ~= nil) end, --> Error: deep
} --> true
--- the catch table: names, kinds, default
local function attempt(name, fields)
  return flow.try {
    function() error(flow.error(name, "m", fields)) end,
    catch = {
      A = function() return "A" end,
      ClientError = function(e) return "client " .. e.name end,
      function(e) return "default " .. e.name end,
    },
  }:await()
end
print(attempt("A")) --> A
print(attempt("B", { status = 404 })) --> client B
print(attempt("C", { kinds = { "X", "A" } })) --> A
print(attempt("D")) --> default D
--- what no entry matches goes on up
flow.try {
  function()
    flow.try {
      function() error(flow.error("Other")) end,
      catch = { A = function() print("never") end },
      finally = function() print("finally") end, --> finally
    }
  end,
  catch = function(err) print("outer", err.name) end, --> outer	Other
}
--- after: the body gets the values
local p = flow.try { function(a, b, c) return a + b, c end, after = { flow.timer(1, 20), flow.timer(2, 22), flow.timer(0) } }
print(p:await()) --> 42	nil
--- after: a failure means that no phase runs
local p = flow.try {
  function() print("never") end,
  catch = function() print("never") end,
  finally = function() print("never") end,
  after = { flow.spawn(error, flow.error("Early")), flow.timer("1h") },
}
local ok, err = pcall(p.await, p)
print(err.name, flow.now() % 60) --> Early	0
--- three scopes deep: each cancelled, from the inside out
flow.try {
  function()
    flow.try {
      function()
        flow.try {
          function() flow.sleep("1h") end,
          catch = function(err) print("3", err.name, err.cause.cause.name) flow.sleep(1) error(err) end, --> 3	CancelledError	Broken
          finally = function() print("finally 3") end, --> finally 3
        }
      end,
      catch = function(err) print("2", err.name) error(err) end, --> 2	CancelledError
      finally = function() print("finally 2") end, --> finally 2
    }
    flow.sleep(1)
    error(flow.error("Broken"))
  end,
  catch = function(err) print("1", err.name, flow.now() % 60) end, --> 1	Broken	2
}
--- catch and finally may wait and start things
flow.try {
  function() error("x") end,
  catch = function() flow.spawn(function() flow.sleep(2) print("of catch") end) end, --> of catch
  finally = function() flow.sleep(1) flow.spawn(function() print("of finally") end) end, --> of finally
}:await()
print(flow.now() % 60) --> 3
--- a function that returns a promise resolves to its values
local p = flow.try { function() return flow.timer(1, "a", "b") end }
print(p:await()) --> a	b
print(flow.spawn(function() return flow.timer(1, "x", "y"), flow.timer(1, "z", "w") end):await()) --> x	z	w
print(flow.spawn(function() return "v", flow.timer(1) end):await()) --> v
--- the last real failure wins
flow.try {
  function()
    flow.spawn(function() flow.sleep(1) error(flow.error("First")) end)
    flow.spawn(function() pcall(flow.sleep, "1h") error(flow.error("Second")) end)
    flow.sleep("1h")
  end,
  catch = function(err) print(err.name) end, --> Second
}
--- misuse is told at the line
flow.try { --- error: flow.try expects a function as its first item, got nil
  catch = function() end,
}
--- unknown option of try
flow.try { print, cach = print } --- error: unknown option 'cach' .did you mean 'catch'
--- two bodies
flow.try { print, print } --- error: one function by position
--- catch of the wrong type
flow.try { print, catch = 1 } --- error: option 'catch' expects a function, got number 1
--- a handler of the wrong type
flow.try { print, catch = { A = 1 } } --- error: option 'catch' expects a function for A, got number 1
