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
  tell_end(T, TENANT, id, 'succeeded', {})
  return {1, 0}
end
redis.call('HDEL', key, next)
arguments, taken = cmsgpack.unpack(piece), 0
local changes = take_changes()
if fit(changes) == 'yes' then
  emit(T, TENANT, apply(changes))
end
return {0, is_full}
