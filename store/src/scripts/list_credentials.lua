-- Lists a page of credentials: of a tenant in the order in which they were made, or of all in the order of their hashes.
-- Drops what has been forgotten since its expiry from the lists.
--
-- KEYS[1]  root of the credentials
-- ARGV  tenant or '' for all · list key or hash to begin behind, or '' · most to return
-- Returns {where a full page ends or '', {record's fields, ...}}
local tenant, after, limit = ARGV[1], ARGV[2], tonumber(ARGV[3])
local list, ids = tenant == '' and C.all or C.listed .. tenant, C.tokens .. tenant
if tenant ~= '' and redis.call('ZCARD', list) < redis.call('HLEN', ids) then
  -- Written by a version that kept no such list: what it does not say of their time is unknown.
  local all = redis.call('HGETALL', ids)
  for i = 1, #all, 2 do
    local record = C.record .. all[i + 1]
    if redis.call('EXISTS', record) == 0 then
      redis.call('HDEL', ids, all[i])
    elseif redis.call('HSETNX', record, 'listed', '0:' .. all[i]) == 1 then
      redis.call('ZADD', list, 0, '0:' .. all[i])
    end
  end
end
local members = redis.call('ZRANGEBYLEX', list, after == '' and '-' or '(' .. after, '+', 'LIMIT', 0, limit)
local records = {}
for _, member in ipairs(members) do
  local hash, id = member, string.match(member, ':(.*)')
  if tenant ~= '' then
    hash = redis.call('HGET', ids, id)
  end
  local fields = hash and redis.call('HGETALL', C.record .. hash) or {}
  if #fields > 0 then
    records[#records + 1] = fields
  else
    redis.call('ZREM', list, member)
    if tenant ~= '' then
      redis.call('HDEL', ids, id)
    end
  end
end
return {#members == limit and members[#members] or '', records}
