--- spawn of nil
flow.spawn(nil) --- error: flow.spawn expects a function as argument #1, got nil
--- spawn of a promise
flow.spawn(flow.timer(1)) --- error: flow.spawn expects a function as argument #1, got promise; pass the function itself, without calling it
--- await of a table
flow.await({}) --- error: flow.await expects a promise as argument #1, got table
--- await of a function
flow.await(print) --- error: got function; did you forget to call it.
--- await of a stub
flow.await(flow.activity("echo")) --- error: got activity 'echo'; did you forget to call it.
--- await of nothing
flow.await() --- error: got nil; did the function forget to return it.
--- the second one
flow.await(flow.timer(1), 5) --- error: flow.await expects a promise as argument #2, got number 5
--- a dot instead of a colon
flow.timer(1).await() --- error: promise:await expects a promise as argument #1, got nil
--- a promise as a value
local total = 1 + flow.timer(1, 2) --- error: a promise was used as a value; did you forget p:await
--- a field of a promise
print(flow.timer(1).name) --- error: promise has no 'name'.*wait for it with p:await
--- an unknown function
flow.spwan(print) --- error: flow has no 'spwan' .did you mean 'spawn'
--- all of promises without a table
flow.all(flow.timer(1)) --- error: flow.all expects a table of promises, got promise; put the promises into a table
--- all of a stub
flow.all { flow.activity("echo") } --- error: flow.all: .1. is activity 'echo'; did you forget to call it
--- a stub has no such method
flow.activity("a"):wiht {} --- error: stub has no 'wiht' .did you mean 'with'
--- try without a table
flow.try(print) --- error: flow.try expects a table . body
--- after with a value that is no promise
flow.try { print, after = { flow.timer(1), 5 } } --- error: option 'after' expects a list of promises, got number 5 as item 2
--- map without a list
flow.map(print, {}) --- error: flow.map expects a list as argument #1, got function
--- map with an option like no other
flow.map({}, print, { parallel = 2 }) --- error: flow.map: unknown option 'parallel'; it has concurrency
--- map with an unknown option
flow.map({}, print, { concurency = 2 }) --- error: flow.map: unknown option 'concurency' .did you mean 'concurrency'
--- map with nothing at a time
flow.map({}, print, { concurrency = 0 }) --- error: option 'concurrency' expects a whole number of at least 1, got number 0
--- on without a function
flow.on("s") --- error: flow.on expects a function as argument #2, got nil
--- signal without a name
flow.signal() --- error: flow.signal expects the signal's name as argument #1, got nil
--- timeout without a duration
flow.timeout(print) --- error: flow.timeout expects a duration
--- nowait of a value
flow.nowait(5) --- error: flow.nowait expects a promise as argument #1, got number 5
--- version the wrong way round
flow.version("c", 2, 1) --- error: flow.version 'c' expects the lowest and the highest version it knows, got number 2 and number 1
--- status that cannot leave
flow.status({ f = print }) --- error: flow.status: status.f: a function cannot leave the run
--- continue_as_new with what cannot leave
flow.continue_as_new(print) --- error: flow.continue_as_new: input: a function
--- send with what cannot leave
flow.send("id", "name", print) --- error: flow.send 'name': input: a function
--- a side effect that waits
flow.side_effect(function() flow.sleep(1) end) --- error: flow.sleep cannot be used in a side effect, which may neither wait nor start anything
--- a side effect whose result cannot leave
flow.side_effect(function() return print end) --- error: result: a function
--- a branch that waits for its own promise
local p
p = flow.spawn(function() p:await() end) --- error: cannot wait for its own promise
--- options that are no table
flow.retry(5) --- error: flow.retry: expects a table of options, got number 5
--- options by position
flow.retry { 5 } --- error: flow.retry: expects options by name .*, got .1.
--- a duration in an option
flow.retry { initial = "soon" } --- error: flow.retry: option 'initial' expects a duration such as
--- a callback of a library cannot be given a promise by accident
print(#flow.promise()) --- error: a promise was used as a value
