-- Stages a piece of the changes that a job is to end with: seen by nobody until it ends (complete.lua), and gone by itself where
-- it does not.
--
-- ARGV  job id · entry · attempt · how many pieces came before · changes
-- Repeatable.

-- Far longer than staging takes.
local STAGED = 60000

-- A write that needs no memory, so that the rest goes through when there is none: see queue.lua.
redis.call('ZREM', P.ready, '')
local key, number = T.staged .. stage_of(take(), take(), take()), take()
if number == '0' then
  redis.call('DEL', key)
end
local piece = {}
for i = taken + 1, #arguments do
  piece[#piece + 1] = arguments[i]
end
redis.call('HSET', key, number, cmsgpack.pack(piece))
redis.call('PEXPIRE', key, STAGED)
return 1
