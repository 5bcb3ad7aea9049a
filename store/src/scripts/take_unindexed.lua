-- Takes the lease to bring terms into postings.
--
-- ARGV  a word of the caller's own, by which its lease is known · how long it lasts, in ms · 1 to take it even from its
--       holder
-- Returns what postings are to take, or nil where the lease is another's.
-- Repeatable.

-- A write that needs no memory, so that the rest goes through when there is none: see queue.lua.
redis.call('ZREM', P.ready, '')
local lease, life, even_if_held = take(), take(), take()
local holder = redis.call('GET', T.indexing)
if holder and holder ~= lease and even_if_held ~= '1' then
  return false
end
local text = redis.call('GET', T.unindexed)
if text then
  redis.call('SET', T.indexing, lease, 'PX', life)
end
return text or ''
