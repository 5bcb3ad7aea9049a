-- The time at which something is said of tasks now.
--
-- ARGV  nothing more
-- Returns ms.
-- Reads only.

return time_of()
