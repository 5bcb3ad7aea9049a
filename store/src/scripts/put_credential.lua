-- Writes a credential, unless a newer version of the same resource has written since, or another has the hash. What it made
-- is refused while it is suspended.
--
-- KEYS[1]  root of the credentials
-- ARGV  name and value of each:
--       hash (hex) · tenant · token_id · data: the record as JSON
--       uid, version: the resource that it is written for, or '' · kept: how long a version is remembered, in ms
--       ends: in ms since 1970, '' for never · listed: its key in the tenant's list
--       made_by: uid or token id of what made it, or '' · needed: hash that has to be there still, or ''
--       most: that the tenant may have made, 0 for any number · counts: 1 where it counts as one of them
-- Returns written | unchanged | stale | taken (the hash belongs to another resource or tenant, or the token id to
--          another token) | orphaned (what made it is gone) | full (the tenant has made as many as it may)
-- Repeatable: a second call answers unchanged.
local new = fields_of(ARGV)
local hash, tenant, token_id, uid = new.hash, new.tenant, new.token_id, new.uid
local record, ids = C.record .. hash, C.tokens .. tenant
local owner = redis.call('HGET', ids, token_id)
if owner and owner ~= hash and redis.call('EXISTS', C.record .. owner) == 1 then
  return 'taken'
end
local holder = redis.call('HMGET', record, 'tenant', 'uid')
if holder[1] and (holder[1] ~= tenant or ((holder[2] or '') ~= '' and holder[2] ~= uid)) then
  return 'taken'
end
if uid ~= '' and not is_newest(uid, new.version, new.kept) then
  return 'stale'
end
local before = redis.call('HMGET', record, 'data', 'listed')
if before[1] == new.data then
  -- The release before did not tell what it made.
  local told = redis.call('SMISMEMBER', C.suspended .. tenant, maker_name(token_id, uid))[1] == 1
  if cjson.decode(new.data).suspended ~= told then
    hold_all(tenant, token_id, hash)
  end
  return 'unchanged'
end
if new.needed ~= '' and redis.call('EXISTS', C.record .. new.needed) == 0 then
  return 'orphaned'
end
local made, most = C.made .. tenant, tonumber(new.most)
if most > 0 and not before[1] then
  if redis.call('ZCOUNT', made, NOW, '+inf') >= most then
    return 'full'
  end
  -- Expired ones stay to be seen, but not without end: the first that ended go first.
  while redis.call('ZCARD', made) >= 2 * most do
    local oldest = redis.call('ZRANGE', made, 0, 0)[1]
    local gone = redis.call('HGET', ids, oldest)
    if gone then
      forget(tenant, oldest, gone)
    end
    redis.call('ZREM', made, oldest)
  end
end
redis.call('HSET', record, 'data', new.data, 'tenant', tenant, 'token_id', token_id, 'uid', uid, 'listed', new.listed)
if new.ends == '' then
  redis.call('PERSIST', record)
else
  redis.call('PEXPIREAT', record, whole(tonumber(new.ends) + tonumber(new.kept)))
end
redis.call('HSET', ids, token_id, hash)
redis.call('ZADD', C.all, 0, hash)
if before[2] and before[2] ~= new.listed then
  redis.call('ZREM', C.listed .. tenant, before[2])
end
redis.call('ZADD', C.listed .. tenant, 0, new.listed)
if new.made_by ~= '' then
  redis.call('HSET', record, 'made_by', new.made_by)
  redis.call('SADD', C.made_by .. tenant .. ':' .. new.made_by, token_id)
end
if new.made_by ~= '' and new.counts == '1' then
  redis.call('ZADD', made, new.ends == '' and '+inf' or new.ends, token_id)
end
hold_all(tenant, token_id, hash)
return 'written'
