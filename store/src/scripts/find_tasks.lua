-- Begins a page of tasks: the postings of each condition, the size of the list, and what has moved.
--
-- ARGV  status · hour and offset of the log of moves to read from ('': not yet known)
--       · conditions {'term', term, '', 'prefix', beginning of words, term to use when too many words have it, …}
-- Returns {ms now, hour, offset of the log's end, log, tasks of that status, what no posting says yet, {chunk, posting, …} each}
-- Reads only.

local MAX_WORDS = 512
local status, hour, from = take(), take(), take()
local conditions = take_list()
local chunks = redis.call('HKEYS', T.counts)

local function words(beginning, fallback)
  local found = redis.call('ZRANGEBYLEX', T.vocab, '[' .. beginning, '[' .. beginning .. '\255', 'LIMIT', 0, MAX_WORDS + 1)
  if #found > MAX_WORDS then
    return {fallback}
  end
  for i, word in ipairs(found) do
    found[i] = 'w' .. word
  end
  return found
end

local function postings(terms)
  local found = {}
  for _, chunk in ipairs(#terms > 0 and chunks or {}) do
    for _, term in ipairs(terms) do
      local posting = redis.call('GET', T.post .. chunk .. ':' .. term)
      if posting then
        found[#found + 1] = chunk
        found[#found + 1] = posting
      end
    end
  end
  return found
end

local now, log = moves_end(), ''
if hour ~= '' then
  now, log = moves_since(hour, from)
end
local answer = {whole(NOW), now[1], now[2], log, redis.call('ZCARD', T.recent .. status),
  #conditions > 0 and redis.call('GET', T.unindexed) or ''}
for i = 1, #conditions, 3 do
  local kind, term, fallback = conditions[i], conditions[i + 1], conditions[i + 2]
  answer[#answer + 1] = postings(kind == 'term' and {term} or words(term, fallback))
end
return answer
