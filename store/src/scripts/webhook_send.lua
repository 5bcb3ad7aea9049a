-- Puts a message in by hand, to be sent as soon as can be.
--
-- ARGV  tenant · id · ref · JSON · most messages that may wait · most that are kept
-- Returns queued | missing | disabled | full

local tenant, id, ref, json, most, kept = take(), take(), take(), take(), tonumber(take()), tonumber(take())
local T = tenant_keys(tenant)
local state = redis.call('HMGET', T.webhook .. id, 'data', 'off', 'disabled_at')
if not state[1] then
  return 'missing'
end
if state[2] == '1' or state[3] then
  return 'disabled'
end
if redis.call('ZCARD', T.unsent .. id) >= most then
  return 'full'
end
log(T, id, ref, json, '0')
trim(T, id, kept)
touch(T, tenant, id)
return 'queued'
