-- Ends a job with its tasks: records, index, job, entry, events, in one step.
--
-- ARGV  job id · entry · attempt · {term that no task may have come under, the latest task under it when it was looked, …}
--       · most fields of the job's record {name, value, …} · what feedback suppressed, as JSON, or '' · changes
-- Returns {verdict, 1 where postings are to take what waits}; ok | superseded (a later submission of the item was accepted: its
--       result is the one that counts) | done (this attempt has ended it before) | stale (the job is somebody else's)
--       | conflict (look again)
-- Repeatable.

local id, entry, attempt = take(), take(), take()
local watched, fields, left = take_list(), take_list(), take()
local changes = take_changes()
local job = job_of(T, id)
local verdict = fence(job, entry, attempt)
if verdict ~= 'ok' then
  return {verdict, 0}
end
if redis.call('HGET', T.item .. job.item, 'latest') ~= job.seq then
  finish(T, TENANT, id, job, 'succeeded', {'tasks_extracted', '0', 'task_ids', '[]'})
  return {'superseded', 0}
end
local fitting = unchanged(watched, changes) and fit(changes) or 'no'
if fitting == 'no' then
  return {'conflict', 0}
end
finish(T, TENANT, id, job, 'succeeded', fields, fitting == 'yes' and #changes > 0 and function()
  return apply(changes)
end)
if left ~= '' then
  redis.call('SET', T.left .. id, left, 'PX', whole(RETENTION))
end
return {'ok', is_full}
