-- Ends the jobs of an item without a trace of its content: entries and dead letters go, unfinished jobs fail,
-- idempotency keys are forgotten so that the item may be submitted again.
--
-- ARGV  tenant · item digest
-- Returns 1 when the item was known, else 0.
-- Repeatable.

local tenant, item = take(), take()
local T = tenant_keys(tenant)
local record = fields_of(redis.call('HGETALL', T.item .. item))
for field, id in pairs(record) do
  local job = string.sub(field, 1, 2) == 'j:' and job_of(T, id)
  if job and job.status then
    if job.status == 'accepted' or job.status == 'running' then
      finish(T, tenant, id, job, 'failed',
        {'error_code', 'item-erased', 'error_message', 'the item was erased before its tasks were recorded'})
    end
    unbury(T, id, job)
    redis.call('DEL', T.left .. id)
    local seen = job.client_key and redis.call('GET', T.idem .. job.client_key)
    if seen and string.match(seen, '^%S+') == id then
      redis.call('DEL', T.idem .. job.client_key)
    end
  end
end
redis.call('HDEL', T.item .. item, 'derived', 'derived_at')
return record.latest and 1 or 0
