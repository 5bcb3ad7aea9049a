-- Brings a piece of the index of a layout before into the present one. In layout 2 a hash held a chunk's postings, long ones as
-- a bitmap beside it, and 256 rows of links. Layout 3 had terms that tasks were still to be taken from as `chores`.
--
-- ARGV  chunk, or '' for a chore · terms of its hash, as many as fit; none: the chunk is done
-- Returns 1; 0 where the terms, or some, are to be sent again.
-- Repeatable.

local LINKS_AT_ONCE = 250
local chunk, terms = take(), take_list()
redis.call('ZREM', P.ready, '')
if chunk == '' then
  for _, chore in ipairs(redis.call('XRANGE', T.chores, '-', '+', 'COUNT', 1)) do
    local ordinal, gone = unpack(cmsgpack.unpack(chore[2][2]))
    take_from(ordinal, gone)
    redis.call('XDEL', T.chores, chore[1])
  end
  local left = redis.call('XLEN', T.chores)
  if left == 0 then
    redis.call('DEL', T.chores)
  end
  return left == 0 and 1 or 0
end
-- A worker of the release before can record nothing more from here on: it would look for tasks in vain.
redis.call('SET', T.horizon, 'upgraded')
redis.call('DEL', T.links)

local function ordinal_at(row, at)
  return tonumber(chunk) * CHUNK + number_of(string.sub(row, at, at + 1))
end

local function take_links(first, row)
  for at = 1, #row, 4 do
    relink({{ordinal = ordinal_at(row, at + 2), links_added = {first .. string.sub(row, at, at + 1)},
      links_removed = {}, item_terms_removed = {}, item_terms_added = {}}})
  end
end

-- Digests were bytes, and are hexadecimal.
local function present_name(term)
  return string.byte(term) ~= 120 and term or 'x' .. string.gsub(string.sub(term, 2), '.', function(byte)
    return string.format('%02x', string.byte(byte))
  end)
end

local function take_posting(term, row)
  local bits = T.bits .. chunk .. ':' .. term
  term = present_name(term)
  local key = T.post .. chunk .. ':' .. term
  if row == '*' then
    local bitmap = redis.call('GET', bits) or ''
    redis.call('SET', key, bitmap .. string.rep('\0', MAX_ROW_BYTES + 1 - #bitmap))
    redis.call('DEL', bits)
  else
    add_to_posting(chunk, term, long_of(chunk, {term})[1], row)
  end
end

for i, row in ipairs(#terms > 0 and redis.call('HMGET', T.ix .. chunk, unpack(terms)) or {}) do
  local term = terms[i]
  if row and string.byte(term) == 108 then -- 'l'
    local rest = string.sub(row, LINKS_AT_ONCE * 4 + 1)
    take_links(string.sub(term, 2), string.sub(row, 1, LINKS_AT_ONCE * 4))
    if rest ~= '' then
      -- The caller comes back to it.
      redis.call('HSET', T.ix .. chunk, term, rest)
      return 0
    end
  elseif row then
    take_posting(term, row)
  end
  redis.call('HDEL', T.ix .. chunk, term)
end
in_pieces('ZADD', T.vocab, new_words)
if #terms == 0 then
  redis.call('HINCRBY', T.counts, chunk, redis.call('HGET', T.chunks, chunk) or '0')
  redis.call('HDEL', T.chunks, chunk)
end
return 1
