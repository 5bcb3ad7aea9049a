-- Ends the jobs of an item without a trace of its content: entries and dead letters go, unfinished jobs fail,
-- idempotency records are dropped so that the item may be submitted again.
--
-- ARGV  tenant · item digest
-- Returns 1 when the item was known, else 0.
-- Repeatable.

local tenant, item = take(), take()
local T = tenant_keys(tenant)
local known = redis.call('EXISTS', T.item .. item, T.submissions .. item) > 0
for _, id in ipairs(redis.call('ZRANGE', T.submissions .. item, 0, -1)) do
  local job = job_of(T, id)
  if job.status then
    if job.status == 'accepted' or job.status == 'running' then
      finish(T, tenant, id, job, 'failed',
        {'error_code', 'item-erased', 'error_message', 'the item was erased before its tasks were recorded'})
    end
    unbury(T, id, job)
    local seen = redis.call('GET', T.idem .. job.idem)
    if seen and string.match(seen, '^%S+') == id then
      redis.call('DEL', T.idem .. job.idem)
    end
  end
end
return known and 1 or 0
