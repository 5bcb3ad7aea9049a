-- Brings a piece of the index of layout 2 into the present one. There a hash held a chunk's postings, long ones as a bitmap
-- beside it, and 256 rows of links.
--
-- ARGV  chunk · terms of its hash, as many as fit; none: the chunk is done
-- Returns 1; 0 where the terms, or some, are to be sent again.
-- Repeatable.

local LINKS_AT_ONCE = 250
local chunk, terms = take(), take_list()
redis.call('ZREM', P.ready, '')
-- A worker of the release before can record nothing more from here on: it would look for tasks in vain.
redis.call('SET', T.horizon, 'upgraded')
redis.call('DEL', T.links)

local function ordinal_at(row, at)
  return tonumber(chunk) * CHUNK + number_of(string.sub(row, at, at + 1))
end

local function take_links(first, row)
  for at = 1, #row, 4 do
    link(ordinal_at(row, at + 2), {first .. string.sub(row, at, at + 1)}, true)
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
    redis.call('SET', key, bitmap .. string.rep('\0', LONGEST_ROW + 1 - #bitmap))
    redis.call('DEL', bits)
  elseif redis.call('EXISTS', key) == 0 then
    redis.call('SET', key, row)
  else
    for at = 1, #row, 2 do
      add_terms(ordinal_at(row, at), {term})
    end
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
if #terms == 0 then
  redis.call('HINCRBY', T.counts, chunk, redis.call('HGET', T.chunks, chunk) or '0')
  redis.call('HDEL', T.chunks, chunk)
end
return 1
