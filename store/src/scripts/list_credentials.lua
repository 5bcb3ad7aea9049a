-- Lists credentials: all of a tenant, or a page of all in the order of their hashes. Drops what has been forgotten
-- since its expiry from the lists.
--
-- KEYS[1]  root of the credentials
-- ARGV  tenant or '' for all · hash to begin behind or '' · most to return (for all)
-- Returns {last hash of a full page or '', {record's fields, ...}}

local tenant, after, limit = ARGV[1], ARGV[2], tonumber(ARGV[3])
local hashes, last = {}, ''
if tenant ~= '' then
  hashes = redis.call('HVALS', C.tokens .. tenant)
else
  local from = after == '' and '-' or '(' .. after
  hashes = redis.call('ZRANGEBYLEX', C.all, from, '+', 'LIMIT', 0, limit)
  last = #hashes == limit and hashes[#hashes] or ''
end
local records = {}
for _, hash in ipairs(hashes) do
  local fields = redis.call('HGETALL', C.record .. hash)
  if #fields > 0 then
    records[#records + 1] = fields
  else
    redis.call('ZREM', C.all, hash)
  end
end
if tenant ~= '' and #records < #hashes then
  local ids = redis.call('HGETALL', C.tokens .. tenant)
  for i = 1, #ids, 2 do
    if redis.call('EXISTS', C.record .. ids[i + 1]) == 0 then
      redis.call('HDEL', C.tokens .. tenant, ids[i])
    end
  end
end
return {last, records}
