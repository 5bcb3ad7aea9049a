-- The ordinals of the tasks that are due on a day or before, while they are few.
--
-- ARGV  status · day as a number · most
-- Returns the ordinals, 4 bytes each, or nil when they are more.
-- Reads only.

local list = T.due .. take()
local below = '(' .. whole((tonumber(take()) + 1) * 65536)
if redis.call('ZCOUNT', list, '-inf', below) > tonumber(take()) then
  return false
end
return table.concat(redis.call('ZRANGEBYSCORE', list, '-inf', below))
