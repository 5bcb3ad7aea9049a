-- Changes tasks, all or none.
--
-- ARGV  changes
-- Returns {1, or 0 where a task is not as it was when its change was computed: nothing changed; 1 where postings are to take
--       what waits}
-- Repeatable.

-- A write that needs no memory, so that the rest goes through when there is none: see queue.lua.
redis.call('ZREM', P.ready, '')
local changes = take_changes()
local fitting = fit(changes)
if fitting == 'yes' and #changes > 0 then
  emit(T, TENANT, apply(changes))
  tell('events ' .. TENANT)
end
return {fitting == 'no' and 0 or 1, is_full}
