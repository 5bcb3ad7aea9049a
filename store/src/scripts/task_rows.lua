-- One column of some tasks.
--
-- ARGV  tenant · column (at or rank) · ordinals, 4 bytes each
-- Returns the values, one behind the other.
-- Reads only.

local T = tenant_keys(take())
local name, ordinals = take(), take()
local values = {}
for i = 1, #ordinals, 4 do
  local chunk = whole(number_of(string.sub(ordinals, i, i + 1)))
  values[#values + 1] = row_at(T, name, chunk, number_of(string.sub(ordinals, i + 2, i + 3)))
end
return table.concat(values)
