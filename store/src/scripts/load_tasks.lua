-- Tasks by id, with the time at which something is said of them now.
--
-- ARGV  ids
-- Returns {ms now, {record, mention, …} or nil of each id}
-- Reads only.

local answer = {whole(time_of())}
for i, id in ipairs(take_list()) do
  answer[i + 1] = record_of(id)
end
return answer
