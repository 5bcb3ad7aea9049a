-- Takes an erasure on: from now on nobody sees the tenant's tasks or events before it is done. What is waiting of the item's
-- jobs ends at once, so that nothing brings it back.
--
-- ARGV  tenant · item digest · the item, as JSON · 1 where it is known to have tasks
-- Returns 1 when the item was known, else 0.
-- Repeatable.

local tenant, item, json, has_tasks = take(), take(), take(), take()
local T = tenant_keys(tenant)
-- What is told of the item is to be there before the place up to which it is erased is taken down.
if redis.call('EXISTS', T.landing) == 1 then
  do return redis.error_reply('UNSETTLED tasks of a job are to be brought in first') end
end
if has_tasks ~= '1' and redis.call('EXISTS', T.item .. item) == 0 then
  return 0
end
-- A write that needs no memory, so that the rest goes through when there is none: see queue.lua.
redis.call('ZREM', P.ready, '')
local last = redis.call('GET', T.seq) or '0'
local event = redis.call('XREVRANGE', T.events, '+', '-', 'COUNT', 1)[1]
-- What is accepted from now on is not meant, nor what is told of it.
redis.call('HSET', T.erasing, item, last .. ' ' .. (event and event[1] or '0-0') .. ' ' .. json)
redis.call('ZADD', P.sweep, whole(NOW), tenant)
redis.call('HDEL', T.item .. item, 'derived', 'derived_at')
erase_jobs(T, tenant, item, tonumber(last))
return 1
