-- The log of moves from a place on.
--
-- ARGV  tenant · hour · offset
-- Returns the log.
-- Reads only.

local T = tenant_keys(take())
local _, log = moves_since(T, take(), take())
return log
