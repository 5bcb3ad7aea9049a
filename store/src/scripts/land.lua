-- Brings the next piece of what a job ended with into the tenant's tasks; behind the last one, tells that the job has ended.
--
-- Returns {1 where nothing is left, 1 where postings are to take what waits}.

-- A write that needs no memory, so that the rest goes through when there is none: see queue.lua.
redis.call('ZREM', P.ready, '')
local pieces, stage, id = string.match(redis.call('GET', T.landing) or '', '^(%d+) (([^:]+).*)$')
if not pieces then
  return {1, 0}
end
local key = T.staged .. stage
local next = whole(pieces - redis.call('HLEN', key))
local piece = redis.call('HGET', key, next)
if not piece then
  redis.call('DEL', T.landing)
  tell_end(T, TENANT, id, job_of(T, id), 'succeeded', {})
  return {1, 0}
end
redis.call('HDEL', key, next)
arguments, taken = cmsgpack.unpack(piece), 0
-- Only a process of the release before, which does not wait for this, can have changed a task since: what it did stands.
local fitting = {}
for _, c in ipairs(take_changes()) do
  if fit({c}) == 'yes' then
    fitting[#fitting + 1] = c
  end
end
if #fitting > 0 then
  emit(T, TENANT, apply(fitting))
end
return {0, is_full}
