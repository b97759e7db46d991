---@meta _

---Timeouts that are not set do not exist.
---@class flow.ActivityOptions
---@field schedule_to_start? flow.Duration from the call until a worker takes it
---@field start_to_close? flow.Duration from then until it ends; of one attempt
---@field schedule_to_close? flow.Duration from the call until it ends, with all attempts
---@field heartbeat? flow.Duration between heartbeats
---@field retry? flow.RetryOptions|flow.RetryPolicy|false attempts that the engine makes; lists of names only
---@field version? string|number of the implementation, for people: the history keeps it beside each call

---@class flow.RetryOptions
---@field initial? flow.Duration before the second attempt; 1 second if not set
---@field backoff? number factor from one wait to the next; 2 if not set
---@field max_interval? flow.Duration no wait is longer
---@field max_attempts? integer counts the first one
---@field expiration? flow.Duration no attempt starts this long after the first
---@field retry_on? string[]|fun(err: flow.Error): boolean only these; all that are not `retryable = false` if not set
---@field dont_retry_on? string[]|fun(err: flow.Error): boolean not these; beats retry_on
---@field jitter? number 0 to below 1: each wait varies by that part of itself, up to max_interval

---@class flow.PollOptions
---@field initial? flow.Duration before the first check; 1 second if not set
---@field backoff? number factor from one wait to the next; 3 if not set
---@field max_interval? flow.Duration no wait is longer
---@field max_retries? integer how many checks after the first; no limit if not set

---@class flow.ChildOptions
---@field id? string made from the parent's if not set
---@field on_parent_close? "terminate"|"cancel"|"abandon" what becomes of it when the parent ends early
