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

-- The job of an earlier submission that this one repeats, what that one stood for, and whether the item is new. A client's key is a promise
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
  return nil, nil, not latest[1]
end

-- Bytes: a finished job and a task with its index, as measured; a waiting text becomes tasks of up to twice its size.
local JOB, TASK, TEXT = 1024, 2048, 3

-- The tenants of this call: what they have got in it, and how much they have, which is looked up once.
local tenants = {}
local function met(tenant)
  tenants[tenant] = tenants[tenant] or {T = tenant_keys(tenant), accepted = {}, bytes = 0}
  return tenants[tenant]
end
local function look_up(tenant)
  local T = tenant.T
  -- Each unfinished job has an entry.
  tenant.unfinished = redis.call('XLEN', T.stream)
  tenant.held = TEXT * tonumber(redis.call('GET', T.backlog) or '0')
    + JOB * (tenant.unfinished + redis.call('ZCARD', T.ended))
  for _, tasks in ipairs(redis.call('HVALS', T.counts)) do
    tenant.held = tenant.held + TASK * tonumber(tasks)
  end
end

-- Whether a tenant would hold more of the server's memory than is free. So one alone fills half of it at most, and there is
-- room for whoever comes late. What it may hold in any case is not looked into.
local OWN = 16 * 1024 * 1024
local free
local function crowds(held)
  if held > OWN and not free then
    local memory = redis.call('INFO', 'memory')
    local most, used = string.match(memory, 'maxmemory:(%d+)'), string.match(memory, 'used_memory:(%d+)')
    free = tonumber(most) > 0 and tonumber(most) - tonumber(used) or math.huge
  end
  return held > OWN and held > free
end

-- Writes the job and what the item is known by, behind its entry. `seq` is the order of acceptance: a job that is sent
-- again is accepted again, and wins over what came between.
local function record(T, s, job_id, entry, seq)
  local fields = {'status', 'accepted', 'source_type', s.source_type, 'external_id', s.external_id, 'key',
    s.client_key ~= '' and s.client_key or s.derived, 'attempts', '0', 'accepted_at', whole(NOW), 'seq', seq,
    'item', s.item, 'entry', entry, 'bytes', #s.body}
  if s.client_key ~= '' then
    redis.call('SET', T.idem .. s.client_key, job_id .. ' ' .. s.derived, 'PX', whole(life))
    fields[#fields + 1] = 'client_key'
    fields[#fields + 1] = s.client_key
  end
  if s.id ~= job_id then
    fields[#fields + 1] = 'admission'
    fields[#fields + 1] = s.id
  end
  redis.call('HSET', T.job .. job_id, unpack(fields))
  redis.call('HSET', T.item .. s.item, 'latest', seq, 'latest_job', job_id, 'j:' .. seq, job_id,
    'derived', s.client_key == '' and s.derived or '', 'derived_at', whole(NOW))
end

local function accept(s)
  local tenant = met(s.tenant)
  local T, remaining, reset = tenant.T, -1, 0
  local function answer(outcome, ...)
    return {outcome, remaining, reset, ...}
  end
  local function answer_job(outcome, job_id)
    return answer(outcome, job_id, redis.call('HGETALL', T.job .. job_id))
  end

  local first, first_derived, is_new = earlier(T, s.client_key, s.derived, s.item)
  local first_job = first and job_of(T, first) or {}
  if not is_new and redis.call('EXISTS', T.job .. s.id) == 1 then
    return answer_job('known', s.id)
  elseif first_job.admission == s.id then
    return answer_job('known', first)
  end

  local wait
  remaining, reset, wait = charge(T, s.token, tonumber(s.per_minute), tonumber(s.burst), 'tenant',
    tonumber(s.tenant_per_minute), tonumber(s.tenant_burst))
  if wait > 0 then
    return answer('limited', wait)
  end

  if first_job.status then
    if first_derived ~= s.derived then
      return answer('reused')
    elseif first_job.status ~= 'failed' then
      return answer_job('replayed', first)
    end
  end

  if not tenant.held then
    look_up(tenant)
  end
  local cap, held = tonumber(s.cap), tenant.held + TEXT * #s.body
  if cap > 0 and tenant.unfinished >= cap then
    return answer('backlog', 5)
  elseif crowds(held) then
    return answer('crowding', 60)
  end

  local job_id, entry = first_job.status and first or s.id, nil
  local entry_fields = {'job', job_id, 'request', s.request, 'trace', s.trace, 'body', s.body}
  if first_job.status then
    entry = requeue(T, s.tenant, first, first_job, entry_fields)
    redis.call('HDEL', T.item .. s.item, 'j:' .. first_job.seq)
  else
    entry = enqueue(T, entry_fields)
  end
  local accepted, seq = tenant.accepted, string.match(entry, '^%d+')
  record(T, s, job_id, entry, seq)
  accepted[#accepted + 1], accepted[#accepted + 2] = seq, job_id
  tenant.unfinished, tenant.held, tenant.bytes = tenant.unfinished + 1, held + JOB, tenant.bytes + #s.body
  return answer('queued', job_id, NOW)
end

local FIELDS = {'tenant', 'id', 'token', 'per_minute', 'burst', 'tenant_per_minute', 'tenant_burst', 'cap', 'client_key',
  'derived', 'item', 'source_type', 'external_id', 'request', 'trace', 'body'}
local answers = {}
while taken < #ARGV do
  local submission = {}
  for _, name in ipairs(FIELDS) do
    submission[name] = take()
  end
  -- What goes wrong with one is no reason to leave the others without an answer.
  local done, answer = pcall(accept, submission)
  if not done then
    answer = {'error', type(answer) == 'table' and answer.err or tostring(answer)}
  end
  answers[#answers + 1] = answer
end
for name, tenant in pairs(tenants) do
  if #tenant.accepted > 0 then
    redis.call('ZADD', tenant.T.jobs .. 'accepted', unpack(tenant.accepted))
    make_ready(tenant.T, name, #tenant.accepted / 2, tenant.bytes)
  end
end
write_buckets()
return answers
