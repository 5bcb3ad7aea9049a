-- Accepts submissions of one partition, one after another: for each rate, idempotency, backlog, job and entry, all or
-- nothing.
--
-- ARGV  how long a repetition is recognised, in ms · then for each submission
--       tenant · job id · token id · the token's allowed per minute (0: any) · its burst · the tenant's · its burst
--       · backlog cap (0: none) · client's key or ''
--       · derived key: stands for item and content · item digest · source type · external id · request id
--       · trace parent · body
-- Returns for each {outcome, remaining (-1: no limit), seconds to a full bucket, ...}, behind it for each outcome:
--       queued: job id, time of acceptance in ms · known (this very call was answered before) and replayed: job id,
--       job's fields · limited, backlog and crowding: seconds to wait · reused: nothing; or {error, the server's words}
-- Repeatable: the same job id is accepted once.

local life = tonumber(take())

-- The job of an earlier submission that this one repeats, and what that one stood for. A client's key is a promise
-- and has a record of its own. A derived key stands for the item as it is, so the item's record tells: A, B and A
-- again is a change back to A.
local function earlier(T, client_key, derived, item)
  if client_key ~= '' then
    local seen = redis.call('GET', T.idem .. client_key)
    return string.match(seen or '', '^(%S+) (%S+)$')
  end
  local latest = redis.call('HMGET', T.item .. item, 'latest_job', 'derived', 'derived_at')
  if latest[2] == derived and NOW - tonumber(latest[3]) < life then
    return latest[1], derived
  end
end

-- Whether a tenant would hold more of the server's memory than is free. So one alone fills half of it at most, and there is
-- room for whoever comes late. What it may hold in any case is not looked into.
local OWN = 16 * 1024 * 1024
-- Bytes: a finished job and a task with its index, as measured; a waiting text becomes tasks of up to twice its size.
local JOB, TASK, TEXT = 1024, 2048, 3
local function crowds(T, more)
  local held = TEXT * (tonumber(redis.call('GET', T.backlog) or '0') + more)
  for _, status in ipairs({'accepted', 'running', 'succeeded', 'failed'}) do
    held = held + JOB * redis.call('ZCARD', T.jobs .. status)
  end
  for _, tasks in ipairs(redis.call('HVALS', T.counts)) do
    held = held + TASK * tonumber(tasks)
  end
  if held <= OWN then
    return false
  end
  local memory = redis.call('INFO', 'memory')
  local most, used = string.match(memory, 'maxmemory:(%d+)'), string.match(memory, 'used_memory:(%d+)')
  return tonumber(most) > 0 and held > tonumber(most) - tonumber(used)
end

-- Writes the job and what the item is known by, behind its entry. `seq` is the order of acceptance: a job that is sent
-- again is accepted again, and wins over what came between.
local function record(T, id, job_id, entry, bytes, client_key, derived, item, source_type, external_id)
  local seq = string.match(entry, '^%d+')
  local fields = {'status', 'accepted', 'source_type', source_type, 'external_id', external_id, 'key',
    client_key ~= '' and client_key or derived, 'attempts', '0', 'accepted_at', whole(NOW), 'seq', seq,
    'item', item, 'entry', entry, 'bytes', bytes}
  if client_key ~= '' then
    redis.call('SET', T.idem .. client_key, job_id .. ' ' .. derived, 'PX', whole(life))
    fields[#fields + 1] = 'client_key'
    fields[#fields + 1] = client_key
  end
  if id ~= job_id then
    fields[#fields + 1] = 'admission'
    fields[#fields + 1] = id
  end
  redis.call('HSET', T.job .. job_id, unpack(fields))
  redis.call('ZADD', T.jobs .. 'accepted', seq, job_id)
  redis.call('HSET', T.item .. item, 'latest', seq, 'latest_job', job_id, 'j:' .. seq, job_id,
    'derived', client_key == '' and derived or '', 'derived_at', whole(NOW))
end

local function accept(T, tenant, id, token, per_minute, burst, ours, our_burst, cap, client_key, derived, item, source_type, external_id,
    request, trace, body)
  local remaining, reset = -1, 0
  local function answer(outcome, ...)
    return {outcome, remaining, reset, ...}
  end
  local function answer_job(outcome, job_id)
    return answer(outcome, job_id, redis.call('HGETALL', T.job .. job_id))
  end

  local first, first_derived = earlier(T, client_key, derived, item)
  local first_job = first and job_of(T, first) or {}
  if redis.call('EXISTS', T.job .. id) == 1 then
    return answer_job('known', id)
  elseif first_job.admission == id then
    return answer_job('known', first)
  end

  local wait
  remaining, reset, wait = charge(T, token, per_minute, burst, 'tenant', ours, our_burst)
  if wait > 0 then
    return answer('limited', wait)
  end

  if first_job.status then
    if first_derived ~= derived then
      return answer('reused')
    elseif first_job.status ~= 'failed' then
      return answer_job('replayed', first)
    end
  end

  if cap > 0 and redis.call('ZCARD', T.jobs .. 'accepted') + redis.call('ZCARD', T.jobs .. 'running') >= cap then
    return answer('backlog', 5)
  elseif crowds(T, #body) then
    return answer('crowding', 60)
  end

  local job_id, entry = first_job.status and first or id, nil
  local entry_fields = {'job', job_id, 'request', request, 'trace', trace, 'body', body}
  if first_job.status then
    entry = revive(T, tenant, first, first_job, entry_fields)
  else
    entry = enqueue(T, tenant, entry_fields)
  end
  record(T, id, job_id, entry, #body, client_key, derived, item, source_type, external_id)
  return answer('queued', job_id, NOW)
end

local tenants, answers = {}, {}
for at = taken + 1, #ARGV, 16 do
  local tenant = ARGV[at]
  local T = tenants[tenant] or tenant_keys(tenant)
  tenants[tenant] = T
  local token, per_minute, burst = ARGV[at + 2], tonumber(ARGV[at + 3]), tonumber(ARGV[at + 4])
  local ours, our_burst, cap = tonumber(ARGV[at + 5]), tonumber(ARGV[at + 6]), tonumber(ARGV[at + 7])
  -- What goes wrong with one is no reason to leave the others without an answer.
  local done, answer = pcall(accept, T, tenant, ARGV[at + 1], token, per_minute, burst, ours, our_burst, cap,
    unpack(ARGV, at + 8, at + 15))
  if not done then
    answer = {'error', type(answer) == 'table' and answer.err or tostring(answer)}
  end
  answers[#answers + 1] = answer
end
return answers
