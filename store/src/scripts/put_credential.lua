-- Writes a credential, unless a newer generation of the same resource has written since, or another has the hash.
--
-- KEYS[1]  root of the credentials
-- ARGV  hash (hex) · tenant · token id · record (JSON) · resource's uid or '' · generation
--       · how long a generation is remembered, in ms · when it ends, in ms since 1970 ('': never)
--       · its place among the tenant's · what made it: uid or token id, or '' · hash that has to be there still, or ''
--       · most that the tenant may have made (0: any number) · 1 where it counts as one of them
-- Returns written | unchanged | stale | taken (the hash belongs to another resource or tenant, or the token id to
--          another token) | orphaned (what made it is gone) | full (the tenant has made as many as it may)
-- Repeatable: a second call answers unchanged.
local hash, tenant, token_id, data, uid, generation, kept, ends, listed, maker, needed, cap, counts = unpack(ARGV)
local record, ids, seen = C.record .. hash, C.tokens .. tenant, C.generation .. uid
local owner = redis.call('HGET', ids, token_id)
if owner and owner ~= hash and redis.call('EXISTS', C.record .. owner) == 1 then
  return 'taken'
end
local holder = redis.call('HMGET', record, 'tenant', 'uid')
if holder[1] and (holder[1] ~= tenant or ((holder[2] or '') ~= '' and holder[2] ~= uid)) then
  return 'taken'
end
if uid ~= '' then
  if tonumber(redis.call('GET', seen) or '-1') > tonumber(generation) then
    return 'stale'
  end
  redis.call('SET', seen, generation, 'PX', kept)
end
local before = redis.call('HMGET', record, 'data', 'listed')
if before[1] == data then
  return 'unchanged'
end
if needed ~= '' and redis.call('EXISTS', C.record .. needed) == 0 then
  return 'orphaned'
end
local made = C.made .. tenant
cap = tonumber(cap)
if cap > 0 and not before[1] then
  if redis.call('ZCOUNT', made, NOW, '+inf') >= cap then
    return 'full'
  end
  -- Expired ones stay to be seen, but not without end: the first that ended go first.
  while redis.call('ZCARD', made) >= 2 * cap do
    local oldest = redis.call('ZRANGE', made, 0, 0)[1]
    local gone = redis.call('HGET', ids, oldest)
    if gone then
      forget(tenant, oldest, gone)
    end
    redis.call('ZREM', made, oldest)
  end
end
redis.call('HSET', record, 'data', data, 'tenant', tenant, 'token_id', token_id, 'uid', uid, 'listed', listed)
if ends == '' then
  redis.call('PERSIST', record)
else
  redis.call('PEXPIREAT', record, string.format('%.0f', tonumber(ends) + tonumber(kept)))
end
redis.call('HSET', ids, token_id, hash)
redis.call('ZADD', C.all, 0, hash)
if before[2] and before[2] ~= listed then
  redis.call('ZREM', C.listed .. tenant, before[2])
end
redis.call('ZADD', C.listed .. tenant, 0, listed)
if maker ~= '' then
  redis.call('HSET', record, 'made_by', maker)
  redis.call('SADD', C.made_by .. tenant .. ':' .. maker, token_id)
end
if maker ~= '' and counts == '1' then
  redis.call('ZADD', made, ends == '' and '+inf' or ends, token_id)
end
redis.call('PUBLISH', NOTICES, 'credential ' .. hash)
return 'written'
