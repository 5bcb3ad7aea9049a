-- Writes an endpoint, as long as nobody changed it meanwhile. A new one gets what happens from now on.
--
-- ARGV  tenant · id · record (JSON) · '1' where nothing is to be sent, else '0' · revision that it was made from, 0: new
--       · most endpoints of a tenant · '1' where past failures are to be forgotten, else '0'
-- Returns written | conflict (it has another revision by now) | full

local tenant, id, data, off, rev, most, reset = take(), take(), take(), take(), take(), tonumber(take()), take()
local T = tenant_keys(tenant)
local hook = T.webhook .. id
if (redis.call('HGET', hook, 'rev') or '0') ~= rev then
  return 'conflict'
end
-- SCARD is none of the commands that docs/admins.md asks for.
if rev == '0' and #redis.call('SMEMBERS', T.webhooks) >= most then
  return 'full'
end
redis.call('HSET', hook, 'data', data, 'off', off)
if rev == '0' then
  local last = redis.call('XREVRANGE', T.events, '+', '-', 'COUNT', 1)[1]
  redis.call('HSET', hook, 'cursor', last and last[1] or whole(NOW - 1) .. '-0', 'moved', '0')
  redis.call('SADD', T.webhooks, id)
end
if reset == '1' then
  redis.call('HDEL', hook, 'failures', 'failing_since', 'disabled_at', 'disabled_why')
  for _, ref in ipairs(redis.call('ZRANGE', T.unsent .. id, 0, -1)) do
    redis.call('ZADD', T.unsent .. id, 0, ref)
  end
end
touch(T, tenant, id)
return 'written'
