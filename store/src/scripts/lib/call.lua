-- What every script begins with: its arguments, one by one, and the time.

local arguments, taken = ARGV, 0
local function take()
  taken = taken + 1
  return arguments[taken]
end

local function take_list()
  local list, length = {}, tonumber(take())
  for i = 1, length do
    list[i] = arguments[taken + i]
  end
  taken = taken + length
  return list
end

-- {name, value, ...} as a table: a record's fields, or arguments by their names.
local function fields_of(flat)
  local fields = {}
  for i = 1, #flat, 2 do
    fields[flat[i]] = flat[i + 1]
  end
  return fields
end

local function whole(number)
  return string.format('%.0f', number)
end

-- The server's time in ms: pods' clocks may be off.
local time = redis.call('TIME')
local NOW = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
