-- Tasks and their index, as every script finds them that reads tasks. Behind lib/queue.lua. What changes postings stands in
-- lib/postings.lua, and what changes tasks in lib/changes.lua.
--
-- ARGV  tenant · '' or 'settling' · what the script itself names
--
-- A task's ordinal is its number within the tenant, never used again. 65,536 ordinals are a chunk. Of each chunk:
--   at:<chunk> 6 bytes, rank:<chunk> 4, ids:<chunk> 16 an ordinal; post:<chunk>:<term> the tasks under a term.
-- All numbers are big-endian, so that the order of bytes is the order of numbers.

local TENANT = take()
local T = tenant_keys(TENANT)
-- The tasks of a job that has ended, an erasure that was accepted and an index of a layout before this one come first.
if take() ~= 'settling' and redis.call('EXISTS', T.landing, T.erasing, T.chunks, T.chores) > 0 then
  do return redis.error_reply('UNSETTLED something is to be done first') end
end

local CHUNK = 65536
local MOVES_HOUR = 3600000

local function u16(number)
  return struct.pack('>I2', number)
end

local function u32(number)
  return struct.pack('>I4', number)
end

local function number_of(bytes)
  return (struct.unpack('>I' .. #bytes, bytes))
end

local function offset_of(ordinal)
  return whole(math.floor(ordinal / CHUNK)), ordinal % CHUNK
end

-- Calls a command with a list, in pieces that fit.
local function in_pieces(verb, key, list)
  for from = 1, #list, 1000 do
    redis.call(verb, key, unpack(list, from, math.min(from + 999, #list)))
  end
end

-- The rows of links and items: the tasks under each, the latest last.
local rows = {}
local function fetch_rows(terms)
  local unknown = {}
  for _, term in ipairs(terms) do
    if not rows[term] then
      unknown[#unknown + 1], rows[term] = term, ''
    end
  end
  for from = 1, #unknown, 1000 do
    for i, row in ipairs(redis.call('HMGET', T.linked, unpack(unknown, from, math.min(from + 999, #unknown)))) do
      rows[unknown[from + i - 1]] = row or ''
    end
  end
end

-- Where the log of moves ends: {hour, bytes}.
local HOUR = whole(math.floor(NOW / MOVES_HOUR))
local function moves_end()
  return {HOUR, redis.call('STRLEN', T.moves .. HOUR)}
end

-- The log of moves from there on: {hour, bytes} of its end, and the log.
local function moves_since(hour, from)
  local now = moves_end()
  local log = {}
  for segment = tonumber(hour), tonumber(now[1]) do
    log[#log + 1] = redis.call('GETRANGE', T.moves .. whole(segment), from, -1)
    from = 0
  end
  return now, table.concat(log)
end

-- When what is said now was said: after the last forgetting, also within its millisecond and where the server's clock was
-- set back since.
local function time_of()
  return math.max(NOW, tonumber(redis.call('HGET', T.learning, 'forgotten') or '0') + 1)
end
