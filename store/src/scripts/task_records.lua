-- The records of some tasks.
--
-- ARGV  ordinals, 4 bytes each · an item by whose mentions they are asked for, or ''
-- Returns {1 where the item is counted among those whose words are no longer kept, record, mention, …} or nil each.
-- Reads only.

local ordinals, item = take(), take()
local ids = {}
for i = 1, #ordinals, 4 do
  local chunk = whole(number_of(string.sub(ordinals, i, i + 1)))
  local bytes = row_at('ids', chunk, number_of(string.sub(ordinals, i + 2, i + 3)))
  ids[#ids + 1] = #bytes == COLUMNS.ids and uuid_of(bytes) or ''
end
local records = records_of(ids)
for i, record in ipairs(records) do
  if record then
    table.insert(record, 1, item == '' and 0 or redis.call('HEXISTS', T.others .. ids[i], item))
  end
end
return records
