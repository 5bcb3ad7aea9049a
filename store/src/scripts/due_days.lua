-- The days on which tasks of a status are due, latest first, as the highest score of each: what the day's best task has.
--
-- ARGV  tenant · status
-- Reads only. Takes a step a day, whatever the number of tasks.

local T = tenant_keys(take())
local list = T.due .. take()
local tops, below = {}, '+inf'
while true do
  local top = redis.call('ZREVRANGEBYSCORE', list, below, '-inf', 'WITHSCORES', 'LIMIT', 0, 1)[2]
  if not top then
    return tops
  end
  tops[#tops + 1] = tonumber(top)
  below = '(' .. whole(math.floor(tonumber(top) / 65536) * 65536)
end
