-- The next tasks of some ranges of a sorted list, highest first.
--
-- ARGV  list (recent or due) · status · ranges {score and member to begin below ('': with the whole score),
--       lowest score, most, …}
-- Returns {member, score, member, score, …} of each range.
-- Reads only.

local list = T[take()] .. take()
local ranges = take_list()

-- How many members stand at or above (score, member). Members of one score are sorted by their bytes.
local function above(score, member)
  local low = redis.call('ZCOUNT', list, '(' .. score, '+inf')
  local high = low + redis.call('ZCOUNT', list, score, score)
  while low < high do
    local middle = math.floor((low + high) / 2)
    -- As numbers: the order of texts is the locale's in Lua, and the bytes' in the list.
    if number_of(redis.call('ZREVRANGE', list, middle, middle)[1]) < number_of(member) then
      high = middle
    else
      low = middle + 1
    end
  end
  return low
end

local function behind(score, member, floor, most)
  local first = above(score, member)
  local last = math.min(first + tonumber(most), redis.call('ZCOUNT', list, floor, '+inf')) - 1
  return last < first and {} or redis.call('ZREVRANGE', list, first, last, 'WITHSCORES')
end

local answer = {}
for i = 1, #ranges, 4 do
  local score, member, floor, most = unpack(ranges, i, i + 3)
  answer[#answer + 1] = member ~= '' and behind(score, member, floor, most)
    or redis.call('ZREVRANGEBYSCORE', list, score, floor, 'WITHSCORES', 'LIMIT', 0, most)
end
return answer
