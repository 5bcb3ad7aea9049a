-- The tasks under any of some link terms, newest first. Of a term that many tasks share, the newest of each chunk count:
-- what is said everywhere links nothing.
--
-- ARGV  tenant · most tasks · terms of the item · other terms
-- Returns {horizon, ms now, records of the item's tasks, other records}
-- Reads only.

local T = tenant_keys(take())
local most, of_item, others = tonumber(take()), take_list(), take_list()
local chunks = redis.call('HKEYS', T.chunks)
table.sort(chunks, function(a, b) return tonumber(a) > tonumber(b) end)
local SHARED = 64
local seen = {}

local function places(chunk, term, all)
  local posting = redis.call('HGET', T.ix .. chunk, term) or ''
  if posting ~= DENSE then
    return all and posting or string.sub(posting, -2 * SHARED)
  end
  return all and row_of(redis.call('GET', T.bits .. chunk .. ':' .. term)) or ''
end

local function record(chunk, place)
  local id = uuid_of(row_at(T, 'ids', chunk, place))
  return redis.call('GET', T.task .. id)
end

-- Counts under how many of the terms each task of a chunk stands: the more, the likelier it is the same.
local function collect(terms, limit, all)
  local records = {}
  for _, chunk in ipairs(chunks) do
    local hits, order = {}, {}
    for _, term in ipairs(terms) do
      local row = places(chunk, term, all)
      for at = 1, #row, 2 do
        local place = number_of(string.sub(row, at, at + 1))
        if not hits[place] then
          order[#order + 1] = place
        end
        hits[place] = (hits[place] or 0) + 1
      end
    end
    table.sort(order, function(a, b)
      if hits[a] ~= hits[b] then
        return hits[a] > hits[b]
      end
      return a > b
    end)
    for _, place in ipairs(order) do
      if #records >= limit then
        return records
      end
      local key = chunk .. '/' .. place
      if not seen[key] then
        seen[key] = true
        records[#records + 1] = record(chunk, place)
      end
    end
  end
  return records
end

return {horizon(T), whole(NOW), collect(of_item, math.huge, true), collect(others, most, false)}
