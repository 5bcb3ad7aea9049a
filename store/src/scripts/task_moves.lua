-- The log of moves from a place on.
--
-- ARGV  hour · offset
-- Returns the log.
-- Reads only.

local _, log = moves_since(take(), take())
return log
