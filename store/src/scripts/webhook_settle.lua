-- Writes down what became of messages, and how far the tenant's events have been handed on; keeps the lease or ends it.
--
-- ARGV  tenant · id · lease · its time in ms · when to look again (ms), which ends the lease, or '' to keep it
--       · how often the place had been moved by hand when the lease began · place in the events, or '' where it stays
--       · failures in a row · since when it fails (ms), or '' · why it is disabled now, or ''
--       · when events were missed (ms), or '' · most messages that are kept · for each message: ref, JSON, due (ms) or ''
-- Returns the endpoint's revision, or '' when the lease is somebody else's: then nothing changed.

local tenant, id, lease, time, next_look = take(), take(), take(), tonumber(take()), take()
local moved, place, failures, since, why = take(), take(), take(), take(), take()
local missed, most = take(), tonumber(take())
local T = tenant_keys(tenant)
local hook = T.webhook .. id

-- Needs no memory, so that the rest goes through when there is none: see queue.lua.
redis.call('ZREM', T.unsent .. id, '')
local state = redis.call('HMGET', hook, 'lease', 'moved', 'rev')
if state[1] ~= lease then
  return ''
end
local ref = take()
while ref do
  log(T, id, ref, take(), take())
  ref = take()
end
trim(T, id, most)
if place ~= '' and state[2] == moved then
  redis.call('HSET', hook, 'cursor', place)
end
redis.call('HSET', hook, 'failures', failures, 'failing_since', since)
if missed ~= '' then
  redis.call('HSET', hook, 'missed_at', missed)
end
if why ~= '' then
  redis.call('HSET', hook, 'disabled_why', why, 'disabled_at', whole(NOW))
end
if next_look == '' then
  redis.call('HSET', hook, 'lease_until', whole(NOW + time))
  redis.call('ZADD', P.webhooks, whole(NOW + time), name_of(tenant, id))
else
  redis.call('HSET', hook, 'not_before', next_look)
  redis.call('HDEL', hook, 'lease', 'lease_until')
  redis.call('ZADD', P.webhooks, next_look, name_of(tenant, id))
end
return state[3]
