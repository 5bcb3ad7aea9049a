-- Forgets what a tenant's feedback has taught. What is said from now on teaches again.
--
-- ARGV  tenant
-- Returns the revision of knowing nothing.
-- Repeatable.

local T = tenant_keys(take())
redis.call('HDEL', T.learning, 'model', 'model_revision', 'model_day')
redis.call('DEL', T.lessons, T.lessons_at)
redis.call('HSET', T.learning, 'forgotten', whole(NOW))
return redis.call('HINCRBY', T.learning, 'revision', 1)
