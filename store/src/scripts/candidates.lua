-- The tasks of an item, and others under any of some links, newest first. Of a link that many tasks share, the newest of
-- each chunk count: what is said everywhere links nothing.
--
-- ARGV  tenant · most others · term of the item · links
-- Returns {horizon, ms now, records of the item's tasks, other records}
-- Reads only.

local SHARED = 64
local T = tenant_keys(take())
local most, item, links = tonumber(take()), take(), take_list()
local chunks = redis.call('HKEYS', T.chunks)
table.sort(chunks, function(a, b) return tonumber(a) > tonumber(b) end)
local seen = {}

local function read(chunk, place, records)
  local key = chunk .. '/' .. place
  if not seen[key] then
    seen[key] = true
    records[#records + 1] = redis.call('GET', T.task .. uuid_of(row_at(T, 'ids', chunk, place))) or nil
  end
end

local function of_item()
  local records = {}
  for _, chunk in ipairs(chunks) do
    local row = redis.call('HGET', T.ix .. chunk, item) or ''
    if row == DENSE then
      row = row_of(redis.call('GET', T.bits .. chunk .. ':' .. item))
    end
    for at = 1, #row, 2 do
      read(chunk, number_of(string.sub(row, at, at + 1)), records)
    end
  end
  return records
end

-- The places in a chunk that stand under a link, the newest so many.
local function places(chunk, link)
  local row, found = redis.call('HGET', T.ix .. chunk, 'l' .. string.sub(link, 1, 1)) or '', {}
  local mark = string.sub(link, 2)
  local at = string.find(row, mark, 1, true)
  while at do
    if at % 4 == 1 then
      found[#found + 1] = number_of(string.sub(row, at + 2, at + 3))
    end
    at = string.find(row, mark, at + 1, true)
  end
  return {unpack(found, math.max(1, #found - SHARED + 1))}
end

-- Of a chunk those first that share most.
local function others()
  local records = {}
  for _, chunk in ipairs(chunks) do
    local shared, order = {}, {}
    for _, link in ipairs(links) do
      for _, place in ipairs(places(chunk, link)) do
        if not shared[place] then
          order[#order + 1] = place
        end
        shared[place] = (shared[place] or 0) + 1
      end
    end
    table.sort(order, function(a, b)
      if shared[a] ~= shared[b] then
        return shared[a] > shared[b]
      end
      return a > b
    end)
    for _, place in ipairs(order) do
      if #records >= most then
        return records
      end
      read(chunk, place, records)
    end
  end
  return records
end

return {horizon(T), whole(NOW), of_item(), others()}
