-- Changes tasks, all or none.
--
-- ARGV  tenant · changes
-- Returns ok | conflict (a task is not as it was when its change was computed; nothing changed)
-- Repeatable.

local tenant = take()
local T = tenant_keys(tenant)
return apply_all(T, tenant, take_changes()) and 'ok' or 'conflict'
