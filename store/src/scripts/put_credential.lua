-- Writes a credential, unless a newer generation of the same resource has written since, or another has the hash.
--
-- KEYS[1]  root of the credentials
-- ARGV  hash (hex) · tenant · token id · record (JSON) · resource's uid or '' · generation
--       · how long a generation is remembered, in ms · when the record may be forgotten, in ms since 1970 (0: never)
-- Returns written | unchanged | stale | taken (the hash belongs to another resource or tenant, or the token id to
--          another token)
-- Repeatable: a second call answers unchanged.

local hash, tenant, token_id, data, uid, generation, kept, gone_at = unpack(ARGV)
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
if redis.call('HGET', record, 'data') == data then
  return 'unchanged'
end
redis.call('HSET', record, 'data', data, 'tenant', tenant, 'token_id', token_id, 'uid', uid)
if gone_at == '0' then
  redis.call('PERSIST', record)
else
  redis.call('PEXPIREAT', record, gone_at)
end
redis.call('HSET', ids, token_id, hash)
redis.call('ZADD', C.all, 0, hash)
redis.call('PUBLISH', NOTICES, 'credential ' .. hash)
return 'written'
