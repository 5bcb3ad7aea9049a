-- Begins a delivery: the job is running from now on, and the attempt counts.
--
-- ARGV  tenant · job id · entry · consumer
-- Returns {the attempt's number, or 0 when the entry is no longer this consumer's; revision of what the tenant taught}.
-- Repeatable: a delivery that this consumer has begun is not begun again.

local tenant, id, entry, consumer = take(), take(), take(), take()
local T = tenant_keys(tenant)
local read = redis.call('HMGET', T.job .. id, 'entry', 'status', 'worker', 'attempts', 'seq')
local job = {entry = read[1], status = read[2], worker = read[3], attempts = read[4], seq = read[5]}
local function answer(attempt)
  return {attempt, tonumber(redis.call('HGET', T.learning, 'revision') or '0')}
end
if job.entry ~= entry or holder(T, entry) ~= consumer then
  return answer(0)
end
if job.status == 'running' then
  return answer(job.worker == consumer and tonumber(job.attempts) or 0)
end
local attempt = tonumber(job.attempts) + 1
set_status(T, id, job, 'running', 'worker', consumer, 'started_at', whole(NOW), 'attempts', attempt)
return answer(attempt)
