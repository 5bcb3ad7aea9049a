-- Writes down what became of messages, and how far the tenant's events have been handed on; keeps the lease or ends it.
--
-- ARGV  tenant · id · {name and value of each:
--       lease · time: how long it lasts, in ms · next_look: when to look again (ms), which ends the lease, or '' to keep it
--       moved: how often the cursor had been moved by hand when the lease began · rev: the revision then
--       cursor: in the events, or '' where it stays
--       failures: in a row · failing_since (ms), or '' · disabled_why, or '' · missed_at: when events were missed (ms), or ''
--       most: messages that are kept} · {ref, JSON, due (ms) or '' of each message, …}
-- Returns the endpoint's revision, or '' when the lease is somebody else's: then nothing changed.

local tenant, id, progress, messages = take(), take(), fields_of(take_list()), take_list()
local T = tenant_keys(tenant)
local hook = T.webhook .. id

-- Needs no memory, so that the rest goes through when there is none: see queue.lua.
redis.call('ZREM', T.unsent .. id, '')
local state = redis.call('HMGET', hook, 'lease', 'moved', 'rev')
if state[1] ~= progress.lease then
  return ''
end
for i = 1, #messages, 3 do
  log(T, id, unpack(messages, i, i + 2))
end
trim(T, id, tonumber(progress.most))
if progress.cursor ~= '' and state[2] == progress.moved then
  redis.call('HSET', hook, 'cursor', progress.cursor)
end
-- What failed before somebody changed the endpoint says nothing of it as it is now; what arrived ends all failures.
local changed = state[3] ~= progress.rev
if not changed or progress.failures == '0' then
  redis.call('HSET', hook, 'failures', progress.failures, 'failing_since', progress.failing_since)
end
if progress.missed_at ~= '' then
  redis.call('HSET', hook, 'missed_at', progress.missed_at)
end
if progress.disabled_why ~= '' and not changed then
  redis.call('HSET', hook, 'disabled_why', progress.disabled_why)
  redis.call('HSETNX', hook, 'disabled_at', whole(NOW))
end
local look_at = progress.next_look
if look_at == '' then
  look_at = whole(NOW + tonumber(progress.time))
  redis.call('HSET', hook, 'lease_until', look_at)
else
  redis.call('HSET', hook, 'not_before', look_at)
  redis.call('HDEL', hook, 'lease', 'lease_until')
end
redis.call('ZADD', P.webhooks, look_at, name_of(tenant, id))
return state[3]
