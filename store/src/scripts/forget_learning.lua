-- Forgets what a tenant's feedback has taught. What is said from now on teaches again.
--
-- ARGV  nothing more
-- Returns the revision of knowing nothing.
-- Repeatable.

-- What was said last may bear a later time than it is now.
local said = redis.call('ZRANGE', T.lessons_at, -1, -1, 'WITHSCORES')[2]
local forgotten = math.max(time_of(), tonumber(said or '0'))
redis.call('HDEL', T.learning, 'model', 'model_revision', 'model_day')
redis.call('DEL', T.lessons, T.lessons_at)
redis.call('HSET', T.learning, 'forgotten', whole(forgotten))
return redis.call('HINCRBY', T.learning, 'revision', 1)
