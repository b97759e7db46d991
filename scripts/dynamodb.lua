-- Errors of a service have three parts: an HTTP status, a name and a message. 5xx and throttling are worth another attempt,
-- other 4xx are not. Two workflows show what follows from that:
--
--   flowlua run scripts/dynamodb.lua --workflow put
--   flowlua run scripts/dynamodb.lua --workflow put --input '{"condition": "fails"}'
--   flowlua run scripts/dynamodb.lua --workflow wait
local flow = require "flow"

-- Back-off: a throttled write is made again after 0.05 s, 0.1 s, 0.2 s …; one whose condition failed is not.
local put_item = flow.activity("put_item", {
  start_to_close = "5s",
  retry = { initial = "50ms", max_attempts = 4 },
}, function(item)
  if item.condition == "fails" then
    error(flow.error("ConditionalCheckFailedException", "The conditional request failed", { status = 400 }))
  end
  local attempt = flow.activity_info().attempt
  if attempt == 1 then
    error(flow.error("ProvisionedThroughputExceededException", "Rate of requests exceeds the allowed throughput", { status = 400 }))
  elseif attempt == 2 then
    error(flow.error("InternalServerError", "The server encountered an internal error", { status = 500 }))
  end
  return "stored in attempt " .. attempt
end)

flow.workflow("put", function(item)
  return flow.try {
    function() return put_item(item or {}) end,
    catch = {
      ClientError = function(err)
        print(("%d %s: %s"):format(err.status, err.name, err.message))
        return "not stored"
      end,
    },
  }
end)

-- Polling: asks for the result of an asynchronous operation after 0.1 s, then 0.3 s, 0.9 s … (100 ms · 3^k), never more than
-- max_interval apart. A retryable error of a check means "ask again"; any other error ends the wait.
local create_table = flow.activity("create_table", function(name) return "token of " .. name end)

local get_result = flow.activity("get_result", { start_to_close = "5s" }, function(_, check)
  local answers = { "NOT_READY", "THROTTLED", "SERVER_ERROR", "SUCCESS" }
  local answer = answers[check]
  if answer == "THROTTLED" then
    error(flow.error("ThrottlingException", "Rate exceeded", { status = 400 }))
  elseif answer == "SERVER_ERROR" then
    error(flow.error("InternalServerError", "try later", { status = 500 }))
  end
  return answer
end)

flow.workflow("wait", function(options)
  options = options or {}
  local token = create_table("orders"):await()
  local started, check = flow.now(), 0
  return flow.poll(function()
    check = check + 1
    print(("check %d after %.1f s"):format(check, flow.now() - started))
    return get_result(token, check):await() == "SUCCESS" and "the table is ready"
  end, {
    initial = "100ms",
    backoff = 3,
    max_interval = options.max_interval or "5s",
    max_retries = options.max_retries or 10,
  })
end)
