-- The records of some tasks.
--
-- ARGV  tenant · ordinals, 4 bytes each
-- Returns a record or nil each.
-- Reads only.

local T = tenant_keys(take())
local ordinals = take()
local records = {}
for i = 1, #ordinals, 4 do
  local chunk = whole(number_of(string.sub(ordinals, i, i + 1)))
  local id = row_at(T, 'ids', chunk, number_of(string.sub(ordinals, i + 2, i + 3)))
  records[#records + 1] = #id == 16 and redis.call('GET', T.task .. uuid_of(id))
end
return records
