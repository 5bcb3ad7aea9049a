-- Tasks by id, with the time at which something is said of them now.
--
-- ARGV  tenant · ids
-- Returns {ms now, record or nil of each id}
-- Reads only.

local T = tenant_keys(take())
local answer = {whole(time_of(T))}
for i, id in ipairs(take_list()) do
  answer[i + 1] = redis.call('GET', T.task .. id)
end
return answer
