local flow = require "flow"
local start = flow.spawn
local images = flow.activities {
  download = { start_to_clos = "30s", retry = { max_attempt = 3 } }, --> 16 unknown option 'start_to_clos' of flow.activities (did you mean 'start_to_close'?); 49 unknown option 'max_attempt' of flow.activities (did you mean 'max_attempts'?)
  upload = { start_to_close = 1, retry = false },
}
flow.activty("x") --> 6 unknown function flow.activty (did you mean 'activity'?)
flow.activity("x", { hearbeat = 1 }) --> 22 unknown option 'hearbeat' of flow.activity
flow.activity("y", function(options) return options.anything end)
images.download:with { start_to_close = 1 }:with { strt_to_close = 2 } --> 52 unknown option 'strt_to_close' of :with (did you mean 'start_to_close'?)
local promise = start(print)
promise:awiat() --> 9 unknown method :awiat of Promise (did you mean 'await'?)
promise:await("1s")
flow.map({ 1 }, print, { concurency = 3 }) --> 26 unknown option 'concurency' of flow.map (did you mean 'concurrency'?)
local other = promise
other = {}
other:anything()
local mine = { with = print }
mine:with { any = "option" }
require("flow").spwan(print) --> 17 unknown function flow.spwan (did you mean 'spawn'?)
flow.log.info("x", { any = 1 })
flow.log.wran("x") --> 10 unknown function flow.log.wran (did you mean 'warn'?)
local log = flow.log
log.inf("x") --> 5 unknown function flow.log.inf (did you mean 'info'?)
