-- Begins a delivery: the job is running from now on, and the attempt counts.
--
-- ARGV  tenant · job id · entry · consumer
-- Returns {the attempt's number, or 0 when the entry is no longer this consumer's; revision of what the tenant taught}.
-- Repeatable: a delivery that this consumer has begun is not begun again.

local tenant, id, entry, consumer = take(), take(), take(), take()
local T = tenant_keys(tenant)
local job = job_of(T, id)
local function answer(attempt)
  return {attempt, tonumber(redis.call('HGET', T.learning, 'revision') or '0')}
end
if job.entry ~= entry or holder(T, entry) ~= consumer then
  return answer(0)
end
redis.call('XCLAIM', T.stream, GROUP, consumer, 0, entry, 'JUSTID')
if job.status == 'running' then
  return answer(job.worker == consumer and tonumber(job.attempts) or 0)
end
local attempt = tonumber(job.attempts) + 1
set_status(T, id, job, 'running', 'worker', consumer, 'started_at', whole(NOW), 'attempts', attempt)
return answer(attempt)
