-- Takes the turn to bring terms into postings.
--
-- ARGV  a word of the caller's own, by which its turn is known · how long it lasts, in ms · 1 to take it from whoever has it
-- Returns what postings are to take, or nil where the turn is another's.
-- Repeatable.

-- A write that needs no memory, so that the rest goes through when there is none: see queue.lua.
redis.call('ZREM', P.ready, '')
local turn, life, whoever = take(), take(), take()
local holder = redis.call('GET', T.indexing)
if holder and holder ~= turn and whoever ~= '1' then
  return false
end
local text = redis.call('GET', T.unindexed)
if text then
  redis.call('SET', T.indexing, turn, 'PX', life)
end
return text or ''
