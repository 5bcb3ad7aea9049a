-- Removes a credential, by its hash or by the tenant's token id, and what it made where it was made by nobody but itself.
--
-- KEYS[1]  root of the credentials
-- ARGV  name and value of each:
--       hash (hex), or '' where it is found by tenant and token_id
--       uid, version: the resource that removes it, or '' · kept: how long a version is remembered, in ms
--       alone: '1' where what its resource made stays
-- Returns 1, or 0 when there was none, or none of that resource.
local gone = fields_of(ARGV)
local hash, tenant, token_id, uid = gone.hash, gone.tenant or '', gone.token_id or '', gone.uid
if hash == '' then
  hash = redis.call('HGET', C.tokens .. tenant, token_id)
  if not hash then
    return 0
  end
end
local of = redis.call('HMGET', C.record .. hash, 'tenant', 'token_id', 'uid')
if uid ~= '' and ((of[1] and of[3] ~= uid) or not is_newest(uid, gone.version, gone.kept)) then
  return 0
end
if of[1] then
  tenant, token_id = of[1], of[2]
  -- What a resource's token made belongs to the resource, which may only have changed its token.
  local maker = of[3] == '' and token_id or (uid == '' and gone.alone ~= '1' and of[3])
  for _, one in ipairs(maker and made_by(tenant, {maker}) or {}) do
    forget(tenant, one[1], one[2])
  end
end
return forget(tenant, token_id, hash)
