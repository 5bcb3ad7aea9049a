-- Forgets what is past its time for tenants that have something due: finished jobs in the lists, dead letters, events.
-- A tenant with nothing left is not looked at again.
--
-- ARGV  most tenants · most jobs
-- Returns {how many jobs were forgotten, tenants with something that was put off, …}.

local tenants, jobs = take(), tonumber(take())
local before = NOW - RETENTION
local answer = {0}

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

local function forget_dead(T)
  local gone = redis.call('XTRIM', T.dead, 'MINID', whole(before))
  -- Minus nothing is no number to the server.
  if gone > 0 then
    count('dead', -gone)
  end
  if redis.call('XLEN', T.dead) == 0 then
    redis.call('DEL', T.dead)
  end
end

for _, tenant in ipairs(redis.call('ZRANGEBYSCORE', P.sweep, '-inf', whole(NOW), 'LIMIT', 0, tenants)) do
  local T = tenant_keys(tenant)
  for _, member in ipairs(redis.call('ZRANGEBYSCORE', T.ended, '-inf', whole(before), 'LIMIT', 0, jobs - answer[1])) do
    forget_job(T, string.match(member, '^(%S+) (%S+) (%d+)$'))
    redis.call('ZREM', T.ended, member)
    answer[1] = answer[1] + 1
  end
  forget_dead(T)
  for _ = 1, 32 do
    if forget_oldest(T, before) == 0 then
      break
    end
  end
  local first = redis.call('ZRANGE', T.ended, 0, 0, 'WITHSCORES')[2]
  if redis.call('EXISTS', T.landing, T.erasing, T.unindexed, T.chores) > 0 then
    answer[#answer + 1] = tenant
  elseif first then
    redis.call('ZADD', P.sweep, whole(math.max(tonumber(first) + RETENTION, NOW)), tenant)
  elseif redis.call('EXISTS', T.dead, T.events) > 0 then
    redis.call('ZADD', P.sweep, whole(NOW + RETENTION), tenant)
  else
    redis.call('ZREM', P.sweep, tenant)
  end
end
return answer
