-- Changes tasks, all or none.
--
-- ARGV  changes
-- Returns ok | conflict (a task is not as it was when its change was computed; nothing changed)
-- Repeatable.

-- A write that needs no memory, so that the rest goes through when there is none: see queue.lua.
redis.call('ZREM', P.ready, '')
return apply_all(take_changes()) and 'ok' or 'conflict'
