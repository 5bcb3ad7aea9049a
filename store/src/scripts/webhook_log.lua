-- Lists the messages to an endpoint, the last first.
--
-- ARGV  tenant · id · place to go on behind, or '' · most
-- Returns nil when there is no such endpoint, else {{ref, JSON, due or '', place}, ...}

local T, id, after, most = tenant_keys(take()), take(), take(), take()
if redis.call('EXISTS', T.webhook .. id) == 0 then
  return nil
end
local from = after == '' and '+inf' or '(' .. after
local found = redis.call('ZREVRANGEBYSCORE', T.sent .. id, from, '-inf', 'WITHSCORES', 'LIMIT', 0, most)
local out = {}
for at = 1, #found, 2 do
  local ref = found[at]
  out[#out + 1] =
    {ref, redis.call('HGET', T.message .. id, ref), redis.call('ZSCORE', T.unsent .. id, ref) or '', found[at + 1]}
end
return out
