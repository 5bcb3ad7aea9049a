-- Hands waiting entries of a partition to a consumer: always from the tenant that has been served least, so that
-- nobody waits behind somebody else's backlog. The cost of an entry is its bytes and a fixed part. A tenant gets another
-- entry only while it has got less than is left of the room: so one alone gets half of it.
--
-- ARGV  consumer · most entries · most bytes (the entry that passes it is still handed out) · tenants to pass over …
-- Returns {tenants to look at again, without those passed over, delivery, ...}; delivery: tenant, entry, job id, attempts
--       so far, order of acceptance, item digest, request id, trace parent, body

local consumer, room, bytes_room = take(), tonumber(take()), tonumber(take())
local FIXED_COST = 8192
local out, bytes = {0}, 0
local state = redis.call('HMGET', P.state, 'vtime', 'waiting', 'pending')
local before, waiting, pending = tonumber(state[1] or '0'), tonumber(state[2] or '0'), tonumber(state[3] or '0')
local vtime = before
local got, busy, handed_out, failed = {}, {}, 0, nil
local passed_over = {}
for i = taken + 1, #ARGV do
  passed_over[ARGV[i]] = true
end

-- The first write, which needs no memory: see queue.lua. The stream goes with its group whenever it runs empty, and comes back
-- without; the first read makes the group.
local function next_entry(T)
  local command = {'XREADGROUP', 'GROUP', GROUP, consumer, 'COUNT', 1, 'STREAMS', T.stream, '>'}
  local reply = redis.pcall(unpack(command))
  if reply and reply.err and string.find(reply.err, 'NOGROUP', 1, true) then
    if redis.pcall('XGROUP', 'CREATE', T.stream, GROUP, '0').err and redis.call('EXISTS', T.stream) == 0 then
      return nil
    end
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
  handed_out = handed_out + 1
  local job = redis.call('HMGET', T.job .. fields.job, 'entry', 'attempts', 'seq', 'item')
  if job[1] ~= entry then
    drop_entry(T, entry, #fields.body)
    return nil
  end
  redis.call('ZADD', P.ready, whole(tag + FIXED_COST + #fields.body), tenant)
  if got[tenant].entries == 0 then
    busy[#busy + 1] = tenant
  end
  bytes = bytes + #fields.body
  got[tenant].entries, got[tenant].bytes = got[tenant].entries + 1, got[tenant].bytes + #fields.body
  out[#out + 1] = {tenant, entry, fields.job, job[2], job[3], job[4], fields.request, fields.trace, fields.body}
end

-- Whether a tenant may have more of the room. Once it may not, it may not for the rest of the call.
local function open_to(tenant)
  local mine = got[tenant] or {entries = 0, bytes = 0}
  got[tenant] = mine
  return not passed_over[tenant] and mine.entries < room - (#out - 1) and mine.bytes < bytes_room - bytes
end

-- Tenants without entries take a turn, so there are more turns than entries; the rest waits for the next call. Those who
-- may have nothing stay in front, as nobody's virtual time goes back: so their number is the place of the next.
local skipped = 0
for _ = 1, 2 * room + #ARGV + 256 do
  local is_over = failed or #out > room or bytes >= bytes_room
  local head = is_over and {} or redis.call('ZRANGE', P.ready, skipped, skipped, 'WITHSCORES')
  if not head[1] then
    break
  end
  if open_to(head[1]) then
    -- Who was passed over before has not saved up: it goes on from where the others are.
    vtime = math.max(vtime, tonumber(head[2]))
    failed = next_of(head[1], vtime)
  else
    skipped = skipped + 1
  end
end

if #busy > 0 then
  redis.call('SADD', P.busy, unpack(busy))
end
local ready = redis.call('ZCARD', P.ready)
if handed_out > 0 or vtime > before then
  -- Entries without a job are gone by now, and count as neither.
  redis.call('HSET', P.state, 'vtime', whole(vtime), 'waiting', ready == 0 and '0' or whole(waiting - handed_out),
    'pending', whole(pending + #out - 1))
elseif ready == 0 then
  redis.call('HDEL', P.state, 'waiting')
end
if failed then
  return failed
end
for tenant in pairs(passed_over) do
  ready = ready - (redis.call('ZSCORE', P.ready, tenant) and 1 or 0)
end
out[1] = ready
return out
