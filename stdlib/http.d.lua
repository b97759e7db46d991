---@meta http

---An HTTP client, for activities. The file that holds workflow and activities may require it; in workflow code a call is an
---error that says where it belongs.
---
---A request that gets no answer raises an error value: `ConnectionError`, or `TimeoutError` with `timeout = "http"`, both
---retryable; `ResponseTooLarge`, which is not; `CancelledError` when the activity must stop. An answer is returned
---whatever its status, unless `raise = true`.
---@class httplib
local http = {}

---@class http.Options
---@field headers? table<string, string|number|string[]>
---@field query? table<string, string|number|boolean|any[]> added to the URL, in the order of `pairs`
---@field timeout? number|string seconds or text as "1m30s" for the whole exchange; 30 s
---@field raise? boolean raise a `ServiceError` unless the status is 2xx, as `res:raise()` does
---@field max_bytes? integer the longest body that is accepted; 16 MB

---@class http.Request: http.Options
---@field url string
---@field method? string "GET" if there is none
---@field body? string
---@field json? any a body that is encoded as JSON, with the content type

---@class http.Response
---@field status integer
---@field headers table<string, string> by name, however it is capitalised; repeated ones are joined by ", "
---@field body string
---@field method string
---@field url string after redirects
local Response = {}

---The body, read as JSON by the rules of `json.decode`.
---```lua
---http.get(base .. "/item").status --> 200
---http.get(base .. "/item"):json().name --> widget
---http.get(base .. "/item").headers["Content-Type"] --> application/json
---```
---@return any
function Response:json() end

---Returns the answer if its status is 2xx, otherwise raises a `ServiceError` with the three parts that services send:
---status, name and message. The name comes from the header `x-amzn-errortype` or the JSON body's `__type` or `code`, also
---inside of `error`; else it is the status' own, as in `NotFound`. Kinds: `ClientError` (4xx), `ServerError` (5xx),
---`ThrottlingError` (429 and names that mean it). `details` has method, url, body and retry_after (seconds).
---```lua
---local ok, err = pcall(function() return http.get(base .. "/throttled"):raise() end)
---print(err.status, err.name, err.message) --> 400	ThrottlingException	Rate exceeded
---print(err:is("ServiceError"), err:is("ThrottlingError"), err.retryable) --> true	true	true
---local ok, err = pcall(http.get, base .. "/missing", { raise = true })
---print(err.name, err:is("ClientError"), err.retryable) --> NotFound	true	false
---```
---@return http.Response
function Response:raise() end

---```lua
---http.get(base .. "/echo", { query = { q = "a b" } }).body --> GET /echo?q=a+b
---http.get(base .. "/echo", { headers = { Authorization = "Bearer x" }, timeout = "5s" }).status --> 200
---pcall(http.get, base, { time_out = 1 }) --> false	http.get: unknown option 'time_out' (did you mean 'timeout'?)
---```
---@param url string
---@param options? http.Options
---@return http.Response
function http.get(url, options) end

---Sends a string as it is, a table as JSON.
---```lua
---http.post(base .. "/echo", { name = "widget" }).body --> POST /echo application/json {"name":"widget"}
---http.post(base .. "/echo", "text", { headers = { ["Content-Type"] = "text/plain" } }).body --> POST /echo text/plain text
---```
---@param url string
---@param body? string|table
---@param options? http.Options
---@return http.Response
function http.post(url, body, options) end

---```lua
---http.request({ method = "PUT", url = base .. "/echo", json = { 1, 2 } }).body --> PUT /echo application/json [1,2]
---http.request({ method = "DELETE", url = base .. "/echo", raise = true }).status --> 200
---```
---@param request http.Request
---@return http.Response
function http.request(request) end

return http
