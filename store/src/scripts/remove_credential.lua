-- Removes a credential, by its hash or by the tenant's token id.
--
-- KEYS[1]  root of the credentials
-- ARGV  hash (hex) or '' · tenant · token id · uid of the resource that removes it, or '' · its generation
--       · how long a generation is remembered, in ms
-- Returns 1, or 0 when there was none, or none of that resource.

local hash, tenant, token_id, uid, generation, kept = unpack(ARGV)
if hash == '' then
  hash = redis.call('HGET', C.tokens .. tenant, token_id)
  if not hash then
    return 0
  end
end
local record = C.record .. hash
local of = redis.call('HMGET', record, 'tenant', 'token_id', 'uid')
if uid ~= '' then
  local seen = C.generation .. uid
  if (of[1] and of[3] ~= uid) or tonumber(redis.call('GET', seen) or '-1') > tonumber(generation) then
    return 0
  end
  redis.call('SET', seen, generation, 'PX', kept)
end
if of[1] then
  tenant, token_id = of[1], of[2]
end
local there = redis.call('DEL', record)
redis.call('ZREM', C.all, hash)
if redis.call('HGET', C.tokens .. tenant, token_id) == hash then
  redis.call('HDEL', C.tokens .. tenant, token_id)
end
redis.call('PUBLISH', NOTICES, 'credential ' .. hash)
return there
