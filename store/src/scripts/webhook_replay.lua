-- Moves an endpoint's cursor in the tenant's events back to a time, so that all since then are sent again.
--
-- ARGV  tenant · id · time (ms)
-- Returns queued | missing | disabled

local tenant, id, since = take(), take(), tonumber(take())
local T = tenant_keys(tenant)
local hook = T.webhook .. id
local state = redis.call('HMGET', hook, 'cursor', 'off', 'disabled_at')
if not state[1] then
  return 'missing'
end
if state[2] == '1' or state[3] then
  return 'disabled'
end
local cursor = whole(math.max(since - 1, 0)) .. '-18446744073709551615'
if behind(state[1], cursor) then
  redis.call('HSET', hook, 'cursor', cursor)
  redis.call('HINCRBY', hook, 'moved', 1)
  -- What waits to be tried again and is read again would be sent twice.
  for _, ref in ipairs(redis.call('ZRANGE', T.unsent .. id, 0, -1)) do
    if string.find(ref, '^%d+-%d+$') and behind(ref, cursor) then
      redis.call('ZREM', T.unsent .. id, ref)
    end
  end
end
touch(T, tenant, id)
return 'queued'
