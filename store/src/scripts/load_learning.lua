-- What a tenant's feedback has taught.
--
-- ARGV  tenant · what is wanted: model (the lessons only where it is not there) | lessons
-- Returns {ms now, revision, ms of the last forgetting or 0, the model of this revision and day or '', lessons}
-- Reads only.

local T, wanted = tenant_keys(take()), take()
if redis.call('EXISTS', T.erasing) == 1 then
  return redis.error_reply('UNSETTLED something is to be erased first')
end
local kept = redis.call('HMGET', T.learning, 'revision', 'forgotten', 'model_revision', 'model_day', 'model')
local revision, day = kept[1] or '0', whole(math.floor(NOW / 86400000))
local fresh = kept[3] == revision and kept[4] == day
local lessons = {}
if wanted == 'lessons' or not fresh then
  lessons = redis.call('HVALS', T.lessons)
end
return {NOW, tonumber(revision), tonumber(kept[2] or '0'), fresh and kept[5] or '', lessons}
