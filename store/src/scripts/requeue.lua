-- Queues a failed job anew from the dead-letter stream. It keeps its place in the order of acceptance: what was
-- accepted after it still wins.
--
-- ARGV  tenant · job id
-- Returns {outcome, job id, job's fields}: queued (also when it is queued or running already) | ended | gone | unknown

local tenant, id = take(), take()
local T = tenant_keys(tenant)
local job = job_of(T, id)
local function answer(outcome)
  return {outcome, id, redis.call('HGETALL', T.job .. id)}
end

if not job.status then
  return answer('unknown')
end
if job.status == 'accepted' or job.status == 'running' then
  return answer('queued')
end
if job.status == 'succeeded' then
  return answer('ended')
end
local dead = job.dead and redis.call('XRANGE', T.dead, job.dead, job.dead)[1]
if not dead then
  return answer('gone')
end
requeue(T, tenant, id, job, dead[2])
make_ready(T, tenant, 1, #dead[2][#dead[2]])
return answer('queued')
