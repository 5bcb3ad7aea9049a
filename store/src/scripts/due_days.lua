-- The days on which tasks of a status are due, as numbers, latest first.
--
-- ARGV  tenant · status
-- Reads only. Takes a step a day, whatever the number of tasks.

local T = tenant_keys(take())
local list = T.due .. take()
local days, below = {}, '+inf'
while true do
  local top = redis.call('ZREVRANGEBYSCORE', list, below, '-inf', 'WITHSCORES', 'LIMIT', 0, 1)[2]
  if not top then
    return days
  end
  local day = math.floor(tonumber(top) / 65536)
  days[#days + 1] = day
  below = '(' .. whole(day * 65536)
end
