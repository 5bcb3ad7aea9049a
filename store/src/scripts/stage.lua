-- Puts tasks that are to be recorded under their terms ahead of time, so that the step that records them is short. A posting
-- that leads to no task, or to one that does not have the word, is passed over.
--
-- ARGV  ordinal ('': the next one) · terms · ordinal · terms …
-- Returns the ordinals.

redis.call('ZREM', P.ready, '')
local ordinals = {}
while taken < #ARGV do
  local ordinal = tonumber(take()) or redis.call('INCR', T.ordinals) - 1
  add_terms(ordinal, take_list())
  ordinals[#ordinals + 1] = ordinal
end
return ordinals
