-- The records of some tasks.
--
-- ARGV  ordinals, 4 bytes each · an item by whose mentions they are asked for, or ''
-- Returns {1 where the item is counted among those whose words are no longer kept, record, mention, …} or nil each.
-- Reads only.

local ordinals, item = take(), take()
local records = {}
for i = 1, #ordinals, 4 do
  local chunk = whole(number_of(string.sub(ordinals, i, i + 1)))
  local bytes = row_at('ids', chunk, number_of(string.sub(ordinals, i + 2, i + 3)))
  local id = #bytes == COLUMNS.ids and uuid_of(bytes)
  local record = id and record_of(id)
  if record then
    table.insert(record, 1, item == '' and 0 or redis.call('HEXISTS', T.others .. id, item))
  end
  records[#records + 1] = record
end
return records
