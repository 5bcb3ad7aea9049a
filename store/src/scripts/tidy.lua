-- Does some of what was put off: takes tasks from under terms that they no longer have.
--
-- ARGV  more to do: {ordinal, term, …}, or nothing
-- Returns how much is left.

redis.call('ZREM', P.ready, '')
local more = take_list()
if #more > 0 then
  remove_in_time(tonumber(more[1]), {unpack(more, 2)})
end
for _, chore in ipairs(redis.call('XRANGE', T.chores, '-', '+', 'COUNT', 16)) do
  local ordinal, terms = unpack(cmsgpack.unpack(chore[2][2]))
  if removed > 0 and removed + #terms > TERMS_AT_ONCE then
    break
  end
  removed = removed + #terms
  remove_terms(ordinal, terms)
  redis.call('XDEL', T.chores, chore[1])
end
local left = redis.call('XLEN', T.chores)
if left == 0 then
  redis.call('DEL', T.chores)
end
return left
