-- Postings: the tasks under each term, a chunk at a time. Behind lib/tasks.lua.
--
-- A posting of up to 512 bytes is a row of u16; a longer one is a bitmap, and long:<chunk> names its term.

local MAX_ROW_BYTES, SHORTEST_BITMAP = 512, 64

-- A row of entries of one width, without one of them.
local function without(row, entry)
  local width = #entry
  local at = string.find(row, entry, 1, true)
  while at do
    if at % width == 1 then
      row = string.sub(row, 1, at - 1) .. string.sub(row, at + width)
      at = at - 1
    end
    at = string.find(row, entry, at + 1, true)
  end
  return row
end

local function row_of(bitmap)
  local row = {}
  for i = 1, #bitmap do
    local byte = string.byte(bitmap, i)
    for bit = 0, 7 do
      if byte >= 2 ^ (7 - bit) then
        byte = byte - 2 ^ (7 - bit)
        row[#row + 1] = u16((i - 1) * 8 + bit)
      end
    end
  end
  return table.concat(row)
end

-- Sets or clears the bits of a row's entries in a bitmap, a block of it at a time.
local BLOCK = 512
local function set_bits(key, row, there)
  local at, high, low = 1, string.byte(row, 1, 2)
  while high do
    local offset = high * 256 + low
    local first = offset - offset % BLOCK
    local block = redis.call('GETRANGE', key, first / 8, (first + BLOCK) / 8 - 1)
    local bytes = {string.byte(block .. string.rep('\0', BLOCK / 8 - #block), 1, -1)}
    repeat
      local place = offset % 8
      local i, mask = (offset - first - place) / 8 + 1, 2 ^ (7 - place)
      if (bytes[i] % (2 * mask) >= mask) ~= there then
        bytes[i] = bytes[i] + (there and mask or -mask)
      end
      at = at + 2
      high, low = string.byte(row, at, at + 1)
      offset = high and high * 256 + low
    until not high or offset < first or offset >= first + BLOCK
    redis.call('SETRANGE', key, first / 8, string.char(unpack(bytes)))
  end
end

-- Makes a bitmap of a row that has become too long; longer than any row, so that its length tells what it is. What was too
-- long before the last `added` bytes came to it is a bitmap that was not known to be one.
local function to_bitmap(key, row, added)
  local bitmap = ''
  if #row - added > MAX_ROW_BYTES then
    bitmap, row = string.sub(row, 1, -added - 1), string.sub(row, -added)
  end
  redis.call('SET', key, bitmap .. string.rep('\0', MAX_ROW_BYTES + 1 - #bitmap))
  set_bits(key, row, true)
end

local function is_word(term)
  return string.byte(term) == 119 -- 'w'
end

-- Which of a chunk's terms have a bitmap: 1 or 0 each.
local function long_of(chunk, terms)
  return #terms > 0 and redis.call('SMISMEMBER', T.long .. chunk, unpack(terms)) or {}
end

-- Takes a word out of the vocabulary once no chunk has it.
local function forget_word(term)
  for _, chunk in ipairs(redis.call('HKEYS', T.counts)) do
    if redis.call('EXISTS', T.post .. chunk .. ':' .. term) == 1 then
      return
    end
  end
  redis.call('ZREM', T.vocab, string.sub(term, 2))
end

-- Words whose first task has come, with their score, for the vocabulary.
local new_words = {}
local function add_to_posting(chunk, term, long, row)
  local key = T.post .. chunk .. ':' .. term
  if long == 1 then
    return set_bits(key, row, true)
  end
  local length = redis.call('APPEND', key, row)
  if length == #row and is_word(term) then
    new_words[#new_words + 1], new_words[#new_words + 2] = 0, string.sub(term, 2)
  end
  if length > MAX_ROW_BYTES then
    to_bitmap(key, redis.call('GET', key), #row)
    redis.call('SADD', T.long .. chunk, term)
  end
end

local function take_from_posting(chunk, term, gone)
  local key = T.post .. chunk .. ':' .. term
  local row
  if redis.call('STRLEN', key) > MAX_ROW_BYTES then
    set_bits(key, gone, false)
    if redis.call('BITCOUNT', key) > SHORTEST_BITMAP then
      return
    end
    row = row_of(redis.call('GET', key))
    redis.call('SREM', T.long .. chunk, term)
  else
    row = redis.call('GET', key) or ''
    for at = 1, #gone, 2 do
      row = without(row, string.sub(gone, at, at + 1))
    end
  end
  if row ~= '' then
    redis.call('SET', key, row)
  elseif redis.call('DEL', key) == 1 and is_word(term) then
    forget_word(term)
  end
end

-- Takes a task from under terms.
local function take_from(ordinal, terms)
  local chunk, offset = offset_of(ordinal)
  for _, term in ipairs(terms) do
    take_from_posting(chunk, term, u16(offset))
  end
end
