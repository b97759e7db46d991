---@meta flow
---@class flow
local flow = {}
---@class flow.Promise<T>
local Promise = {}
---@param timeout? number|string
---@return any ...
function Promise:await(timeout) end
---@class flow.ActivityOptions
---@field start_to_close? number|string how long
---@field retry? flow.RetryOptions|false
---@class flow.RetryOptions
---@field initial number
---@field max_attempts? integer
---@class flow.Activity
local Activity = {}
---@param options flow.ActivityOptions
---@return flow.Activity
function Activity:with(options) end
---@param name string
---@param options? flow.ActivityOptions
---@param fn? function
---@return flow.Activity
---@overload fun(name: string, fn: function): flow.Activity
function flow.activity(name, options, fn) end
---@param declarations table<string, flow.ActivityOptions>
---@return table<string, flow.Activity>
function flow.activities(declarations) end
---@param fn function
---@return flow.Promise
function flow.spawn(fn, ...) end
---@param list any[]
---@param fn fun(item: any): any
---@param options? { concurrency?: integer } bound
---@return flow.Promise
function flow.map(list, fn, options) end
---@param scope table
---@return flow.Promise
function flow.try(scope) end
function flow.workflow(name, fn) end
function flow.sleep(d) end
---@class flow.Log
flow.log = {}
function flow.log.info(message, fields) end
function flow.log.warn(message, fields) end
return flow
