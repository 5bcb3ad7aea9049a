-- What stands for the tenant's tasks as they are now: how many there have ever been, and when the last change was.
--
-- ARGV  nothing more
-- Returns both numbers; nil where there is none.
-- Reads only.

return redis.call('MGET', T.ordinals, T.changed)
