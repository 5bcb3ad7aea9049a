-- Brings some terms of a chunk into its postings.
--
-- ARGV  the lease's word · how long it lasts from now on, in ms · bytes at the beginning of `unindexed` that are done
--       with these; 0: more follow · chunk · {term, offsets that came under it, offsets that went, …}, offsets as rows
--       of u16
-- Returns 1, or 0 where the lease is another's by now.
-- Repeatable.

redis.call('ZREM', P.ready, '')
local lease, life, done, chunk, list = take(), take(), tonumber(take()), take(), take_list()
if redis.call('GET', T.indexing) ~= lease then
  return 0
end
local terms = {}
for i = 1, #list, 3 do
  terms[#terms + 1] = list[i]
end
local long = long_of(chunk, terms)
for i, term in ipairs(terms) do
  local came, went = list[i * 3 - 1], list[i * 3]
  if came ~= '' then
    add_to_posting(chunk, term, long[i], came)
  end
  if went ~= '' then
    take_from_posting(chunk, term, went)
  end
end
in_pieces('ZADD', T.vocab, new_words)
if done == 0 then
  redis.call('PEXPIRE', T.indexing, life)
  return 1
end
local rest = redis.call('GETRANGE', T.unindexed, done, -1)
redis.call('DEL', T.indexing, T.unindexed)
if rest ~= '' then
  redis.call('APPEND', T.unindexed, rest)
end
return 1
