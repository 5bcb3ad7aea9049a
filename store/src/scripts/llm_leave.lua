-- Releases a permit: settles what the request cost, and notes how it ended. Repeating it changes nothing.
--
-- ARGV  tenant · lease · tokens that were charged · tokens that it cost · answered, failed, busy or other
--       · milliseconds for which nobody is to ask (busy) · tokens a minute of all, of the tenant

local tenant, lease, charged, cost = take(), take(), tonumber(take()), tonumber(take())
local ended, pause, of_all, of_tenant = take(), tonumber(take()), tonumber(take()), tonumber(take())
if redis.call('ZREM', L.under_way, lease) == 0 then
  return 0
end
spend(L.spent, of_all, cost - charged)
spend(spent_by(tenant), of_tenant, cost - charged)
local state = redis.call('HMGET', L.gate, 'failing', 'open_until', 'trial', 'opened', 'paused_until')
local failing, open, was_trial = tonumber(state[1] or 0), state[2], state[3] == lease
if ended == 'busy' and NOW + pause > tonumber(state[5] or 0) then
  redis.call('HSET', L.gate, 'paused_until', NOW + pause)
end
if ended == 'failed' then
  failing = failing * KEPT + (1 - KEPT)
  if was_trial or (failing > BROKEN and not open) then
    local opened = tonumber(state[4] or 0)
    local rest = math.min(RESTS[1] * 2 ^ opened, RESTS[2])
    redis.call('HSET', L.gate, 'open_until', NOW + rest, 'opened', opened + 1, 'failing', failing)
    redis.call('HDEL', L.gate, 'trial')
  else
    redis.call('HSET', L.gate, 'failing', failing)
  end
elseif was_trial then
  redis.call('HDEL', L.gate, 'open_until', 'trial', 'opened', 'failing')
elseif ended == 'answered' then
  redis.call('HSET', L.gate, 'failing', failing * KEPT)
end
return 1
