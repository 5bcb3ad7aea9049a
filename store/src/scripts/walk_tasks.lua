-- The next tasks of some stretches of a sorted list, highest first.
--
-- ARGV  tenant · list (recent or due) · status · stretches {score and member to begin below, lowest score, most, …}
-- Returns {member, score, member, score, …} of each stretch.
-- Reads only.

local T = tenant_keys(take())
local list = T[take()] .. take()
local stretches = take_list()

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

local answer = {}
for i = 1, #stretches, 4 do
  local first = above(stretches[i], stretches[i + 1])
  local last = math.min(first + tonumber(stretches[i + 3]), redis.call('ZCOUNT', list, stretches[i + 2], '+inf')) - 1
  answer[#answer + 1] = last < first and {} or redis.call('ZREVRANGE', list, first, last, 'WITHSCORES')
end
return answer
