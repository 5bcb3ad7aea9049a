-- Accepts a submission: rate, idempotency, backlog, job, entry, all or nothing.
--
-- ARGV  tenant · job id · token id · allowed per minute (0: any) · burst · backlog cap (0: none)
--       · name of the idempotency record ('c:' client's key, 'd:' derived) · its life in ms · what stands for item and content
--       · item digest · source type · external id · key to show · request id · trace parent · body
-- Returns {outcome, remaining (-1: no limit), seconds to a full bucket, ...}, behind it for each outcome:
--       queued: job id, time of acceptance in ms · known (this very call was answered before) and replayed: job id,
--       job's fields · limited and backlog: seconds to wait · reused: nothing
-- Repeatable: the same job id is accepted once.

local tenant, id, token = take(), take(), take()
local per_minute, burst, cap = tonumber(take()), tonumber(take()), tonumber(take())
local name, life, print = take(), take(), take()
local item, source_type, external_id, key = take(), take(), take(), take()
local request, trace, body = take(), take(), take()
local T = tenant_keys(tenant)

local remaining, reset = -1, 0
local function answer(outcome, ...)
  return {outcome, remaining, reset, ...}
end
local function answer_job(outcome, job_id)
  return answer(outcome, job_id, redis.call('HGETALL', T.job .. job_id))
end

local first, first_print, first_job
local seen = redis.call('GET', T.idem .. name)
if seen then
  first, first_print = string.match(seen, '^(%S+) (%S+)$')
  first_job = job_of(T, first)
  if first_job.admission == id then
    return answer_job('known', first)
  end
end

if per_minute > 0 and burst > 0 then
  local wait
  remaining, reset, wait = charge(T, token, per_minute, burst)
  if wait > 0 then
    return answer('limited', wait)
  end
end

local revived = false
if first_job and first_job.status then
  if first_print ~= print then
    return answer('reused')
  end
  -- A derived key stands for the item as it is: A, B and A again is a change back to A.
  local current = string.sub(name, 1, 2) == 'c:' or redis.call('HGET', T.item .. item, 'latest_job') == first
  if current and first_job.status ~= 'failed' then
    return answer_job('replayed', first)
  end
  revived = current
end

if cap > 0 and redis.call('ZCARD', T.jobs .. 'accepted') + redis.call('ZCARD', T.jobs .. 'running') >= cap then
  return answer('backlog', 5)
end

local entry_fields = {'job', revived and first or id, 'request', request, 'trace', trace, 'body', body}
local job_id, entry = id, nil
if revived then
  job_id = first
  entry = revive(T, tenant, first, first_job, entry_fields)
else
  entry = enqueue(T, tenant, entry_fields)
end
-- The order of acceptance. A job that is sent again is accepted again, and wins over what came between.
local seq = string.match(entry, '^%d+')
redis.call('HSET', T.job .. job_id, 'status', 'accepted', 'source_type', source_type, 'external_id', external_id,
  'key', key, 'attempts', '0', 'accepted_at', whole(NOW), 'seq', seq, 'item', item, 'idem', name, 'entry', entry,
  'admission', id)
redis.call('ZADD', T.jobs .. 'accepted', seq, job_id)
redis.call('HSET', T.item .. item, 'latest', seq, 'latest_job', job_id, 'j:' .. seq, job_id)
redis.call('SET', T.idem .. name, job_id .. ' ' .. print, 'PX', life)
return answer('queued', job_id, NOW)
