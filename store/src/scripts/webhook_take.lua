-- Hands out endpoints that have something to be sent, each to one worker at a time.
--
-- ARGV  lease (a word of the worker's own) · its time in ms · when to look again at who has nothing, in ms from now
--       · most endpoints · tenants to look at, each a value; none: whoever is due
-- Returns {the time (ms), {{tenant, {field, value, ...}, {ref, due, ...} still to be sent, {JSON of each}}, ...}}

local lease, time, idle, most = take(), tonumber(take()), tonumber(take()), tonumber(take())
local out = {}

-- Needs no memory, so that the rest goes through when there is none: see queue.lua.
redis.call('ZREM', P.webhooks, '')

local function look_again(name, at)
  redis.call('ZADD', P.webhooks, at, name)
end

local function hand_out(T, tenant, id, name)
  local hook = T.webhook .. id
  redis.call('HSET', hook, 'lease', lease, 'lease_until', whole(NOW + time))
  look_again(name, whole(NOW + time))
  local unsent, refs, messages = redis.call('ZRANGE', T.unsent .. id, 0, -1, 'WITHSCORES'), {}, {}
  for at = 1, #unsent, 2 do
    refs[#refs + 1] = unsent[at]
  end
  if #refs > 0 then
    messages = redis.call('HMGET', T.message .. id, unpack(refs))
  end
  out[#out + 1] = {tenant, redis.call('HGETALL', hook), unsent, messages}
end

local function look_at(tenant, id)
  local name, T = name_of(tenant, id), tenant_keys(tenant)
  local state = fields_of(redis.call('HGETALL', T.webhook .. id))
  if not state.data then
    redis.call('ZREM', P.webhooks, name)
  elseif state.off == '1' or state.disabled_at then
    look_again(name, '+inf')
  elseif tonumber(state.lease_until or '0') > NOW then
    look_again(name, state.lease_until)
  elseif tonumber(state.not_before or '0') > NOW then
    look_again(name, state.not_before)
  else
    local first = tonumber(redis.call('ZRANGE', T.unsent .. id, 0, 0, 'WITHSCORES')[2] or NOW + idle)
    local last = redis.call('XREVRANGE', T.events, '+', '-', 'COUNT', 1)[1]
    if first <= NOW or (last and behind(last[1], state.cursor)) then
      hand_out(T, tenant, id, name)
    else
      look_again(name, whole(math.min(first, NOW + idle)))
    end
  end
end

local tenant = take()
if not tenant then
  for _, name in ipairs(redis.call('ZRANGEBYSCORE', P.webhooks, '-inf', whole(NOW), 'LIMIT', 0, most)) do
    look_at(string.match(name, '^(%S+) (%S+)$'))
  end
end
while tenant do
  local T = tenant_keys(tenant)
  for _, id in ipairs(redis.call('SMEMBERS', T.webhooks)) do
    if #out < most then
      look_at(tenant, id)
    end
  end
  tenant = take()
end
return {NOW, out}
