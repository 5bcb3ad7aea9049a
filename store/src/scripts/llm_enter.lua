-- A permit for one request to the language model: within the requests under way at once, the tokens a minute of the
-- tenant and of all, and only while the model is not known to be broken. Of a broken one, one trial at a time finds
-- out.
--
-- ARGV  tenant · lease · tokens that it costs at most · milliseconds that a lease lasts · requests at once
--       · tokens a minute of all, of the tenant (0: any number)
-- Returns {'in' | 'wait' | 'broken', milliseconds after which to ask again}

local tenant, lease, tokens, lasts = take(), take(), tonumber(take()), tonumber(take())
local most, of_all, of_tenant = tonumber(take()), tonumber(take()), tonumber(take())
for _, lost in ipairs(redis.call('ZRANGEBYSCORE', L.under_way, '-inf', NOW, 'LIMIT', 0, 100)) do
  redis.call('ZREM', L.under_way, lost)
end
if redis.call('ZSCORE', L.under_way, lease) then
  return {'in', 0}
end
local state = redis.call('HMGET', L.gate, 'open_until', 'trial', 'paused_until')
local open_until, trial, paused_until = tonumber(state[1] or 0), state[2], tonumber(state[3] or 0)
if NOW < open_until then
  return {'broken', open_until - NOW}
end
if open_until > 0 and trial and redis.call('ZSCORE', L.under_way, trial) then
  return {'broken', 1000}
end
if NOW < paused_until then
  return {'wait', paused_until - NOW}
end
if redis.call('ZCARD', L.under_way) >= most then
  return {'wait', 100}
end
local wait = math.max(lacks(L.spent, of_all, tokens), lacks(spent_by(tenant), of_tenant, tokens))
if wait > 0 then
  return {'wait', wait}
end
spend(L.spent, of_all, tokens)
spend(spent_by(tenant), of_tenant, tokens)
redis.call('ZADD', L.under_way, NOW + lasts, lease)
if open_until > 0 then
  redis.call('HSET', L.gate, 'trial', lease)
end
return {'in', 0}
