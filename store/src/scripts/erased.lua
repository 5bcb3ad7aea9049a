-- Goes on with an erasure whose tasks are gone: events, then jobs, some at a time; then it is done.
--
-- ARGV  item digest · the erasure as it was taken on · term of the item · ordinals under it that lead to no task any more,
--       4 bytes each · events to forget
-- Returns 1 when the erasure is done, else 0.
-- Repeatable.

local item, erasure, term, dead = take(), take(), take(), take()
redis.call('ZREM', P.ready, '')
for i = 1, #dead, 4 do
  take_from(number_of(string.sub(dead, i, i + 3)), {term})
end
local events = take_list()
for _, id in ipairs(events) do
  local event = redis.call('XRANGE', T.events, id, id)[1]
  if event then
    redis.call('XDEL', T.events, id)
    redis.call('HINCRBY', T.event_bytes, 'sum', -#event[2][4])
  end
end
local jobs = erase_jobs(T, TENANT, item, tonumber(string.match(erasure, '^%d+')))
-- It is done when a look found nothing more to do.
if #dead + #events + jobs > 0 then
  return 0
end
if redis.call('HGET', T.erasing, item) == erasure then
  redis.call('HDEL', T.erasing, item)
end
return 1
