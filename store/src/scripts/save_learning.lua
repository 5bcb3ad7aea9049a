-- Keeps what was worked out of the lessons of a revision, for everybody.
--
-- ARGV  tenant · revision · day, counted from 1970 · the model
-- Returns 1, or 0 when the lessons have changed since: nothing is kept.
-- Repeatable.

local T, revision, day, model = tenant_keys(take()), take(), take(), take()
if redis.call('HGET', T.learning, 'revision') ~= revision then
  return 0
end
redis.call('HSET', T.learning, 'model_revision', revision, 'model_day', day, 'model', model)
return 1
