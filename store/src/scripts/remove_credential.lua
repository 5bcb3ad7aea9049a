-- Removes a credential, by its hash or by the tenant's token id.
--
-- KEYS[1]  root of the credentials
-- ARGV  hash (hex) or '' · tenant · token id
-- Returns 1, or 0 when there was none.

local hash, tenant, token_id = unpack(ARGV)
if hash == '' then
  hash = redis.call('HGET', C.tokens .. tenant, token_id)
  if not hash then
    return 0
  end
end
local record = C.record .. hash
local of = redis.call('HMGET', record, 'tenant', 'token_id')
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
