-- The queue's state machine, in front of every script that touches a tenant.
--
-- KEYS[1]  root of the partition; no key has this name, it routes. The tables P and tenant_keys(tenant) spell the rest.
-- ARGV     how long a finished job is kept, in ms · events kept for each tenant · bytes of them · what the script itself names
--
-- A job is in exactly one of the lists T.jobs .. status. An unfinished job has exactly one entry in the tenant's stream:
-- waiting (not yet read) or pending (held by a consumer). P.state counts both. Under memory pressure a script may
-- write only when its first write is one that needs no memory: so acceptance begins with SET or INCR and is refused,
-- and whatever drains the queue begins with ZREM, XREADGROUP, XCLAIM or XACK and goes through.

local GROUP = 'workers'
local PARTITION = string.match(KEYS[1], '{p(%d+)}$')
local RETENTION, EVENTS, EVENT_BYTES = tonumber(take()), tonumber(take()), tonumber(take())

local function job_of(T, id)
  return fields_of(redis.call('HGETALL', T.job .. id))
end

local function tell(message)
  redis.call('PUBLISH', NOTICES, message)
end

-- Forgets the oldest events, a few dozen at once: all of these, or those from before a moment (ms).
local OLDEST = 32
local function forget_oldest(T, before)
  local found = redis.call('XRANGE', T.events, '-', before and '(' .. whole(before) or '+', 'COUNT', OLDEST)
  local bytes = 0
  for i, event in ipairs(found) do
    found[i], bytes = event[1], bytes + #event[2][4]
  end
  if #found > 0 then
    redis.call('XDEL', T.events, unpack(found))
    redis.call('HINCRBY', T.event_bytes, 'sum', -bytes)
    -- Whoever is told by webhook and has not come so far has missed some.
    if redis.call('EXISTS', T.webhooks) == 1 then
      redis.call('SET', T.trimmed, found[#found])
    end
  end
  if redis.call('XLEN', T.events) == 0 then
    redis.call('DEL', T.events, T.event_bytes)
  end
  return #found
end

-- Appends to the tenant's events: the one place where changes of jobs and tasks become some. Each is {kind, form, value}; form
-- 'data' (JSON as the API answers) or 'job' (a job's fields, see below).
local function emit(T, tenant, events)
  local more = 0
  for _, event in ipairs(events) do
    redis.call('XADD', T.events, '*', 'kind', unpack(event))
    more = more + #event[3]
  end
  local bytes = redis.call('HINCRBY', T.event_bytes, 'sum', more)
  if bytes == more then
    redis.call('ZADD', P.sweep, 'NX', whole(NOW + RETENTION), tenant)
  elseif bytes > EVENT_BYTES or redis.call('XLEN', T.events) > EVENTS then
    for _ = 1, math.ceil(#events / OLDEST) do
      forget_oldest(T)
    end
  end
end

-- Puts a job into the list of another status, and writes that with more of its fields: name, value, … `job` has them then, too.
local function set_status(T, id, job, status, ...)
  redis.call('ZREM', T.jobs .. job.status, id)
  redis.call('ZADD', T.jobs .. status, job.seq, id)
  local fields = {'status', status, ...}
  redis.call('HSET', T.job .. id, unpack(fields))
  for i = 1, #fields, 2 do
    job[fields[i]] = fields[i + 1]
  end
end

local function count(field, by)
  return redis.call('HINCRBY', P.state, field, by)
end

-- Makes a tenant ready that has got so many entries, with so many bytes: no further back than whoever is served now.
local function make_ready(T, tenant, entries, bytes)
  if not redis.call('ZSCORE', P.ready, tenant) then
    redis.call('ZADD', P.ready, redis.call('HGET', P.state, 'vtime') or '0', tenant)
    -- A worker sleeps only after it has seen nobody on the list but tenants that it passes over.
    redis.call('PUBLISH', WAKE, PARTITION)
  end
  count('waiting', entries)
  redis.call('INCRBY', T.backlog, bytes)
end

-- Appends an entry to the tenant's stream, to be made ready. Returns its id; the number is the tenant's order of acceptance.
local function enqueue(T, fields)
  local entry = whole(redis.call('INCR', T.seq)) .. '-0'
  redis.call('XADD', T.stream, entry, unpack(fields))
  return entry
end

-- Takes an entry with a body of so many bytes, waiting or pending, out of the stream for good; an empty stream goes with its
-- group.
local function drop_entry(T, entry, bytes)
  local held = redis.pcall('XACK', T.stream, GROUP, entry) == 1
  if redis.call('XDEL', T.stream, entry) == 1 then
    count(held and 'pending' or 'waiting', -1)
    -- Every entry has bytes.
    if redis.call('DECRBY', T.backlog, bytes or 0) <= 0 and redis.call('XLEN', T.stream) == 0 then
      redis.call('DEL', T.stream, T.backlog)
    end
  end
end

-- Who holds a pending entry, or nil.
local function holder(T, entry)
  local rows = redis.pcall('XPENDING', T.stream, GROUP, entry, entry, 1)
  return rows[1] and rows[1][2]
end

-- Whether a worker may still end the job for that entry and attempt: 'ok'; 'done' when it has already done so (the
-- answer was lost); 'stale' when the job is somebody else's by now.
local function fence(job, entry, attempt)
  if job.entry ~= entry or job.attempts ~= attempt then
    return 'stale'
  end
  if job.status == 'running' then
    return 'ok'
  end
  return (job.status == 'succeeded' or job.status == 'failed') and 'done' or 'stale'
end

-- What stands for a finished job in T.ended: all that is needed to forget it when its record has expired.
local function ended_name(id, job)
  return id .. ' ' .. job.item .. ' ' .. job.seq
end

-- Ends a job: entry gone, status, `fields` ({name, value, ...}) and time set, listed for sweeping. The first write is one that
-- needs no memory. Whoever calls it says what came of the job, now or once all of that is there.
local function end_job(T, id, job, status, fields)
  drop_entry(T, job.entry, job.bytes)
  set_status(T, id, job, status, 'worker', '', 'finished_at', whole(NOW), unpack(fields))
  redis.call('PEXPIRE', T.job .. id, whole(RETENTION))
  redis.call('ZADD', T.ended, whole(NOW), ended_name(id, job))
end

-- Tells that a job has ended: its event, behind those of its tasks, and a notice.
local function tell_end(T, tenant, id, job, status, events)
  local fields = {}
  for name, value in pairs(job) do
    fields[#fields + 1], fields[#fields + 2] = name, value
  end
  events[#events + 1] = {'job.' .. status, 'job', cjson.encode({id, fields})}
  emit(T, tenant, events)
  tell('job ' .. tenant .. ' ' .. id)
end

local function finish(T, tenant, id, job, status, fields)
  end_job(T, id, job, status, fields)
  tell_end(T, tenant, id, job, status, {})
end

-- Fails a job and keeps its entry in the dead-letter stream, from where it can be requeued.
local function dead_letter(T, tenant, id, job, code, message)
  local found = redis.call('XRANGE', T.stream, job.entry, job.entry)[1]
  -- Acknowledging nothing needs no memory, and lets the rest through when there is none: see above.
  redis.call('XACK', T.stream, GROUP, '0-0')
  if found then
    job.dead = redis.call('XADD', T.dead, '*', unpack(found[2]))
    redis.call('HSET', T.job .. id, 'dead', job.dead)
    count('dead', 1)
  end
  finish(T, tenant, id, job, 'failed', {'error_code', code, 'error_message', message})
end

-- Removes what a failed job left in the dead-letter stream.
local function drop_dead_letter(T, id, job)
  if job.dead then
    count('dead', -redis.call('XDEL', T.dead, job.dead))
    redis.call('HDEL', T.job .. id, 'dead')
    if redis.call('XLEN', T.dead) == 0 then
      redis.call('DEL', T.dead)
    end
  end
end

-- Queues a failed job anew under its own id, with that entry, to be made ready.
local function requeue(T, tenant, id, job, entry_fields)
  local entry = enqueue(T, entry_fields)
  drop_dead_letter(T, id, job)
  set_status(T, id, job, 'accepted', 'entry', entry, 'attempts', '0')
  redis.call('HDEL', T.job .. id, 'error_code', 'error_message', 'started_at', 'finished_at')
  redis.call('PERSIST', T.job .. id)
  redis.call('ZREM', T.ended, ended_name(id, job))
  tell('job ' .. tenant .. ' ' .. id)
  return entry
end
