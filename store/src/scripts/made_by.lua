-- What a token or resource made, and what those made in turn; removes it where that is asked for.
--
-- KEYS[1]  root of the credentials
-- ARGV  tenant · token id, or uid of the resource · 1 to remove
-- Returns {record's fields, ...}
local tenant, maker, remove = unpack(ARGV)
local records = {}
for _, one in ipairs(made_by(tenant, {maker})) do
  records[#records + 1] = redis.call('HGETALL', C.record .. one[2])
  if remove == '1' then
    forget(tenant, one[1], one[2])
  end
end
if remove == '1' then
  redis.call('SREM', C.suspended .. tenant, maker)
end
return records
