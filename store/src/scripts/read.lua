-- Hands waiting entries of a partition to a consumer: always from the tenant that has been served least, so that
-- nobody waits behind somebody else's backlog. The cost of an entry is its bytes and a fixed part.
--
-- ARGV  consumer · most entries · most bytes (the entry that passes it is still handed out)
-- Returns {tenants to look at again, delivery, ...}; delivery: tenant, entry, job id, attempts so far, order of
--       acceptance, item digest, request id, trace parent, body

local consumer, room, bytes_room = take(), tonumber(take()), tonumber(take())
local FIXED_COST = 8192
local out, bytes, vtime = {0}, 0, nil

-- A write that needs no memory, so that the rest goes through when there is none: see queue.lua.
redis.call('ZREM', P.ready, '')

-- The stream goes with its group whenever it runs empty, and comes back without; the first read makes the group.
local function next_entry(T)
  local command = {'XREADGROUP', 'GROUP', GROUP, consumer, 'COUNT', 1, 'STREAMS', T.stream, '>'}
  local reply = redis.pcall(unpack(command))
  if reply and reply.err and string.find(reply.err, 'NOGROUP', 1, true) then
    if redis.call('EXISTS', T.stream) == 0 then
      return nil
    end
    redis.call('XGROUP', 'CREATE', T.stream, GROUP, '0')
    reply = redis.call(unpack(command))
  end
  return reply
end

-- Hands out the tenant's next entry, or takes the tenant off the list when it has none.
local function next_of(tenant, tag)
  local T = tenant_keys(tenant)
  local reply = next_entry(T)
  if not reply or reply.err then
    redis.call('ZREM', P.ready, tenant)
    return reply
  end
  local entry, fields = reply[1][2][1][1], fields_of(reply[1][2][1][2])
  count('waiting', -1)
  count('pending', 1)
  local job = redis.call('HMGET', T.job .. fields.job, 'entry', 'attempts', 'seq', 'item')
  if job[1] ~= entry then
    drop_entry(T, entry)
    return nil
  end
  redis.call('ZADD', P.ready, whole(tag + FIXED_COST + #fields.body), tenant)
  redis.call('SADD', P.busy, tenant)
  bytes = bytes + #fields.body
  out[#out + 1] = {tenant, entry, fields.job, job[2], job[3], job[4], fields.request, fields.trace, fields.body}
end

-- Tenants without entries are passed over, so there are more turns than entries; the rest waits for the next call.
for _ = 1, room + 256 do
  local head = redis.call('ZRANGE', P.ready, 0, 0, 'WITHSCORES')
  if not head[1] or #out > room or bytes >= bytes_room then
    break
  end
  vtime = head[2]
  local failed = next_of(head[1], tonumber(head[2]))
  if failed then
    return failed
  end
end

if vtime then
  redis.call('HSET', P.state, 'vtime', whole(tonumber(vtime)))
end
out[1] = redis.call('ZCARD', P.ready)
if out[1] == 0 then
  redis.call('HDEL', P.state, 'waiting')
end
return out
