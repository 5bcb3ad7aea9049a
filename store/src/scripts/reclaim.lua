-- Takes over entries whose consumer has been silent; dead-letters those that were begun too often; forgets consumers that
-- hold nothing and have been silent for long.
--
-- ARGV  consumer · silence after which an entry is taken over, in ms · most attempts · most entries · most bytes
--       · silence after which a consumer is forgotten, in ms
-- Returns {dead_lettered, delivery, ...}; delivery as in hand_out.lua

local consumer, idle, attempts_most = take(), take(), tonumber(take())
local room, bytes_room, forget = tonumber(take()), tonumber(take()), tonumber(take())
local out, bytes, dead_lettered = {0}, 0, 0

local function take_over(T, tenant, entry)
  local claimed = redis.call('XCLAIM', T.stream, GROUP, consumer, idle, entry)[1]
  if not claimed then
    return
  end
  local fields = fields_of(claimed[2])
  local id = fields.job
  local job = job_of(T, id)
  if job.entry ~= entry then
    return drop_entry(T, entry, #fields.body)
  end
  if tonumber(job.attempts) >= attempts_most then
    dead_lettered = dead_lettered + 1
    return dead_letter(T, tenant, id, job, 'delivery-limit',
      'given up after ' .. job.attempts .. ' deliveries, none of which a worker brought to an end')
  end
  if job.status == 'running' then
    set_status(T, id, job, 'accepted', 'worker', '')
    tell('job ' .. tenant .. ' ' .. id)
  end
  bytes = bytes + #fields.body
  out[#out + 1] =
    {tenant, entry, id, job.attempts, job.seq, job.item, fields.request, fields.trace, fields.body}
end

local function forget_consumers(T)
  for _, flat in ipairs(redis.call('XINFO', 'CONSUMERS', T.stream, GROUP)) do
    local info = fields_of(flat)
    if info.pending == 0 and info.idle > forget then
      redis.call('XGROUP', 'DELCONSUMER', T.stream, GROUP, info.name)
    end
  end
end

for _, tenant in ipairs(redis.call('SMEMBERS', P.busy)) do
  if #out > room or bytes >= bytes_room then
    break
  end
  local T = tenant_keys(tenant)
  local held = redis.pcall('XPENDING', T.stream, GROUP)
  if held.err or held[1] == 0 then
    redis.call('SREM', P.busy, tenant)
  else
    for _, row in ipairs(redis.call('XPENDING', T.stream, GROUP, 'IDLE', idle, '-', '+', room)) do
      if #out <= room and bytes < bytes_room then
        take_over(T, tenant, row[1])
      end
    end
  end
  if not held.err and redis.call('EXISTS', T.stream) == 1 then
    forget_consumers(T)
  end
end
out[1] = dead_lettered
return out
