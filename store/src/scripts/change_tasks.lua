-- Changes tasks, all or none.
--
-- ARGV  changes
-- Returns {1, or 0 where a task is not as it was when its change was computed: nothing changed; 1 where postings are to take
--       what waits}
-- Repeatable.

-- A write that needs no memory, so that the rest goes through when there is none: see queue.lua.
redis.call('ZREM', P.ready, '')
local events = apply_all(take_changes())
if events and #events > 0 then
  emit(T, TENANT, events)
  tell('events ' .. TENANT)
end
return {events and 1 or 0, is_full}
