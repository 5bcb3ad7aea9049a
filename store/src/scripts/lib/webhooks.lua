-- What scripts on webhooks share. Behind lib/queue.lua.
--
-- T.webhooks lists a tenant's endpoints. Of each: T.webhook .. id is its record and state, T.message .. id the messages to
-- it (ref -> JSON), T.unsent .. id those still to be sent by when (ms), T.sent .. id all that are kept in the order in
-- which they came. P.webhooks holds every endpoint as '<tenant> <id>' by when a worker is to look at it.

local function name_of(tenant, id)
  return tenant .. ' ' .. id
end

-- Whether a cursor in the stream of events lies behind another.
local function behind(cursor, other)
  local ms, number = string.match(cursor, '^(%d+)-(%d+)$')
  local other_ms, other_number = string.match(other, '^(%d+)-(%d+)$')
  ms, other_ms = tonumber(ms), tonumber(other_ms)
  return ms > other_ms or (ms == other_ms and tonumber(number) > tonumber(other_number))
end

-- Somebody changed the endpoint: whoever sends to it is to look again, and a worker soon if nobody does.
local function touch(T, tenant, id)
  local hook = T.webhook .. id
  redis.call('HINCRBY', hook, 'rev', 1)
  redis.call('HDEL', hook, 'not_before')
  if tonumber(redis.call('HGET', hook, 'lease_until') or '0') <= NOW then
    redis.call('ZADD', P.webhooks, whole(NOW), name_of(tenant, id))
  end
  tell('events ' .. tenant)
end

-- Writes a message down: its place in the log stays, and it is sent at `due` (ms), or not any more ('').
local function log(T, id, ref, json, due)
  redis.call('HSET', T.message .. id, ref, json)
  if not redis.call('ZSCORE', T.sent .. id, ref) then
    redis.call('ZADD', T.sent .. id, whole(redis.call('HINCRBY', T.webhook .. id, 'count', 1)), ref)
  end
  if due == '' then
    redis.call('ZREM', T.unsent .. id, ref)
  else
    redis.call('ZADD', T.unsent .. id, due, ref)
  end
end

-- Forgets the oldest messages beyond that many; what is still to be sent stays.
local function trim(T, id, most)
  local over = redis.call('ZCARD', T.sent .. id) - most
  if over <= 0 then
    return
  end
  for _, ref in ipairs(redis.call('ZRANGE', T.sent .. id, 0, over + 31)) do
    if over > 0 and not redis.call('ZSCORE', T.unsent .. id, ref) then
      redis.call('ZREM', T.sent .. id, ref)
      redis.call('HDEL', T.message .. id, ref)
      over = over - 1
    end
  end
end
