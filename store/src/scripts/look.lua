-- Where the tasks of an item may be found, and others under any of some links.
--
-- ARGV  term of the item · links
-- Returns {ms now, {chunk, posting of the item's term, …}, the rows of the links and of the item}, a row each or ''
-- Reads only.

local item, terms = take(), take_list()
local own, found = {}, {}
for _, chunk in ipairs(redis.call('HKEYS', T.counts)) do
  own[#own + 1] = chunk
  own[#own + 1] = redis.call('GET', T.post .. chunk .. ':' .. item) or ''
end
terms[#terms + 1] = item
fetch_rows(terms)
for i, term in ipairs(terms) do
  found[i] = rows[term]
end
return {whole(NOW), own, found}
