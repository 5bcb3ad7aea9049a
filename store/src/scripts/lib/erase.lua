-- Ends jobs of an item without a trace of its content: entries and dead letters go, unfinished jobs fail, idempotency keys
-- are forgotten so that the item may be submitted again. Those accepted up to a place in the order, the latest so many
-- that were not yet. Returns how many.
local JOBS_AT_ONCE = 100
local function erase_jobs(T, tenant, item, last)
  local seqs, ids = {}, {}
  for field, id in pairs(fields_of(redis.call('HGETALL', T.item .. item))) do
    local seq = tonumber(string.match(field, '^j:(%d+)$'))
    if seq and seq <= last then
      seqs[#seqs + 1], ids[seq] = seq, id
    end
  end
  table.sort(seqs, function(a, b) return a > b end)
  for i = 1, math.min(#seqs, JOBS_AT_ONCE) do
    local id = ids[seqs[i]]
    local job = job_of(T, id)
    if job.status == 'accepted' or job.status == 'running' then
      finish(T, tenant, id, job, 'failed',
        {'error_code', 'item-erased', 'error_message', 'the item was erased before its tasks were recorded'})
    end
    drop_dead_letter(T, id, job)
    redis.call('DEL', T.left .. id)
    local seen = job.client_key and redis.call('GET', T.idem .. job.client_key)
    if seen and string.match(seen, '^%S+') == id then
      redis.call('DEL', T.idem .. job.client_key)
    end
    redis.call('HDEL', T.item .. item, 'j:' .. whole(seqs[i]))
  end
  return math.min(#seqs, JOBS_AT_ONCE)
end
