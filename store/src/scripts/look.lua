-- Where the tasks of an item may be found, and others under any of some links.
--
-- ARGV  term of the item · links
-- Returns {horizon, ms now, {chunk, posting of the item's term, …}, the row of each link or nil}
-- Reads only.

local item, links = take(), take_list()
local own, rows = {}, {}
for _, chunk in ipairs(redis.call('HKEYS', T.counts)) do
  own[#own + 1] = chunk
  own[#own + 1] = redis.call('GET', T.post .. chunk .. ':' .. item) or ''
end
for from = 1, #links, 1000 do
  for _, row in ipairs(redis.call('HMGET', T.linked, unpack(links, from, math.min(from + 999, #links)))) do
    rows[#rows + 1] = row
  end
end
return {horizon(), whole(NOW), own, rows}
