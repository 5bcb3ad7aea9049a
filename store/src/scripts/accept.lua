-- Accepts a submission: rate, idempotency, backlog, job, entry, all or nothing.
--
-- ARGV  tenant · job id · token id · allowed per minute (0: any) · burst · backlog cap (0: none)
--       · client's key or '' · how long a repetition is recognised, in ms · derived key: stands for item and content
--       · item digest · source type · external id · request id · trace parent · body
-- Returns {outcome, remaining (-1: no limit), seconds to a full bucket, ...}, behind it for each outcome:
--       queued: job id, time of acceptance in ms · known (this very call was answered before) and replayed: job id,
--       job's fields · limited and backlog: seconds to wait · reused: nothing
-- Repeatable: the same job id is accepted once.

local tenant, id, token = take(), take(), take()
local per_minute, burst, cap = tonumber(take()), tonumber(take()), tonumber(take())
local client_key, life, derived = take(), tonumber(take()), take()
local item, source_type, external_id = take(), take(), take()
local request, trace, body = take(), take(), take()
local T = tenant_keys(tenant)

local remaining, reset = -1, 0
local function answer(outcome, ...)
  return {outcome, remaining, reset, ...}
end
local function answer_job(outcome, job_id)
  return answer(outcome, job_id, redis.call('HGETALL', T.job .. job_id))
end

-- The job of an earlier submission that this one repeats, and what that one stood for. A client's key is a promise
-- and has a record of its own. A derived key stands for the item as it is, so the item's record tells: A, B and A
-- again is a change back to A.
local function earlier()
  if client_key ~= '' then
    local seen = redis.call('GET', T.idem .. client_key)
    return string.match(seen or '', '^(%S+) (%S+)$')
  end
  local latest = redis.call('HMGET', T.item .. item, 'latest_job', 'derived', 'derived_at')
  if latest[2] == derived and NOW - tonumber(latest[3]) < life then
    return latest[1], derived
  end
end

local first, first_derived = earlier()
local first_job = first and job_of(T, first) or {}
if redis.call('EXISTS', T.job .. id) == 1 then
  return answer_job('known', id)
elseif first_job.admission == id then
  return answer_job('known', first)
end

if per_minute > 0 and burst > 0 then
  local wait
  remaining, reset, wait = charge(T, token, per_minute, burst)
  if wait > 0 then
    return answer('limited', wait)
  end
end

local revived = false
if first_job.status then
  if first_derived ~= derived then
    return answer('reused')
  elseif first_job.status ~= 'failed' then
    return answer_job('replayed', first)
  end
  revived = true
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
  'key', client_key ~= '' and client_key or derived, 'attempts', '0', 'accepted_at', whole(NOW), 'seq', seq,
  'item', item, 'entry', entry)
redis.call('ZADD', T.jobs .. 'accepted', seq, job_id)
if revived then
  redis.call('HSET', T.job .. job_id, 'admission', id)
end
redis.call('HSET', T.item .. item, 'latest', seq, 'latest_job', job_id, 'j:' .. seq, job_id,
  'derived', client_key == '' and derived or '', 'derived_at', whole(NOW))
if client_key ~= '' then
  redis.call('SET', T.idem .. client_key, job_id .. ' ' .. derived, 'PX', whole(life))
  redis.call('HSET', T.job .. job_id, 'client_key', client_key)
end
return answer('queued', job_id, NOW)
