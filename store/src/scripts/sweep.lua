-- Forgets what is past its time for tenants that have something due: finished jobs in the lists, dead letters, events.
-- A tenant with nothing left is not looked at again.
--
-- ARGV  most tenants · most jobs of each
-- Returns how many jobs were forgotten.

local tenants, jobs = take(), take()
local before = NOW - RETENTION
local forgotten = 0

-- Forgets a job and, with the last of them, the item's record; its tasks stand on their own.
local function forget_job(T, id, item, seq)
  redis.call('DEL', T.job .. id)
  redis.call('ZREM', T.jobs .. 'succeeded', id)
  redis.call('ZREM', T.jobs .. 'failed', id)
  redis.call('HDEL', T.item .. item, 'j:' .. seq)
  -- Only what tells of the latest submission is left.
  if redis.call('HLEN', T.item .. item) <= 4 then
    redis.call('DEL', T.item .. item)
  end
end

local function forget_old(T, key)
  local gone = redis.call('XTRIM', key, 'MINID', whole(before))
  if redis.call('XLEN', key) == 0 then
    redis.call('DEL', key)
  end
  return gone
end

for _, tenant in ipairs(redis.call('ZRANGEBYSCORE', P.sweep, '-inf', whole(NOW), 'LIMIT', 0, tenants)) do
  local T = tenant_keys(tenant)
  for _, member in ipairs(redis.call('ZRANGEBYSCORE', T.ended, '-inf', whole(before), 'LIMIT', 0, jobs)) do
    forget_job(T, string.match(member, '^(%S+) (%S+) (%d+)$'))
    redis.call('ZREM', T.ended, member)
    forgotten = forgotten + 1
  end
  count('dead', -forget_old(T, T.dead))
  forget_old(T, T.events)
  local first = redis.call('ZRANGE', T.ended, 0, 0, 'WITHSCORES')[2]
  if first then
    redis.call('ZADD', P.sweep, whole(math.max(tonumber(first) + RETENTION, NOW)), tenant)
  elseif redis.call('EXISTS', T.dead, T.events) > 0 then
    redis.call('ZADD', P.sweep, whole(NOW + RETENTION), tenant)
  else
    redis.call('ZREM', P.sweep, tenant)
  end
end
return forgotten
