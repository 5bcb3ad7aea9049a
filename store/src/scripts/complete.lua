-- Ends a job with its tasks: records, index, job, entry, events, in one step. Many changes are staged before (stage.lua), and from
-- this step on nobody sees the tenant's tasks and events before they have landed (land.lua).
--
-- ARGV  job id · entry · attempt · {term that no task may have come under, the latest task under it when it was looked, …}
--       · most fields of the job's record {name, value, …} · what feedback suppressed, as JSON, or '' · pieces that were staged
--       · {id, revision that a staged change was computed from, …} · changes
-- Returns {verdict, 1 where postings are to take what waits}; ok | superseded (a later submission of the item was accepted: its
--       result is the one that counts) | done (this attempt has ended it before) | stale (the job is somebody else's)
--       | conflict (look again)
-- Repeatable.

local id, entry, attempt = take(), take(), take()
local watched, fields, left = take_list(), take_list(), take()
local pieces, revisions, changes = tonumber(take()), take_list(), take_changes()
local job = job_of(T, id)
local verdict = fence(job, entry, attempt)
if verdict ~= 'ok' then
  return {verdict, 0}
end
if redis.call('HGET', T.item .. job.item, 'latest') ~= job.seq then
  finish(T, TENANT, id, job, 'succeeded', {'tasks_extracted', '0', 'task_ids', '[]'})
  return {'superseded', 0}
end
local stage = stage_of(id, entry, attempt)
local is_there = pieces == 0 or pieces == redis.call('HLEN', T.staged .. stage)
local fitting = is_there and are_at(revisions) and unchanged(watched) and fit(changes) or 'no'
if fitting == 'no' then
  return {'conflict', 0}
end
end_job(T, id, job, 'succeeded', fields)
if left ~= '' then
  redis.call('SET', T.left .. id, left, 'PX', whole(RETENTION))
end
if pieces == 0 then
  tell_end(T, TENANT, id, job, 'succeeded', fitting == 'yes' and apply(changes) or {})
else
  redis.call('PERSIST', T.staged .. stage)
  redis.call('SET', T.landing, pieces .. ' ' .. stage)
  redis.call('ZADD', P.sweep, whole(NOW), TENANT)
end
return {'ok', is_full}
