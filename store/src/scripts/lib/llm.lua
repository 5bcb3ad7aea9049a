-- What the scripts of the language model share: its keys, its buckets of tokens and when it counts as broken.

local L = {gate = KEYS[1] .. ':gate', under_way = KEYS[1] .. ':under-way', spent = KEYS[1] .. ':spent'}
-- Share of the past in the share of failures: one in five is the last request.
local KEPT = 0.8
-- Share of failures from which the model counts as broken: eight in a row.
local BROKEN = 0.8
-- First and longest rest of a broken one, in milliseconds.
local RESTS = {5000, 60000}

local function spent_by(tenant)
  return L.spent .. ':' .. tenant
end

-- Tokens that may be spent now: a minute's worth at most.
local function level(key, per_minute)
  local state = redis.call('HMGET', key, 'level', 'at')
  if not state[1] then
    return per_minute
  end
  return math.min(per_minute, tonumber(state[1]) + (NOW - tonumber(state[2])) * per_minute / 60000)
end

-- Milliseconds until there are so many; what costs more than a minute's worth waits for all of it.
local function lacks(key, per_minute, tokens)
  if per_minute == 0 then
    return 0
  end
  local missing = math.min(tokens, per_minute) - level(key, per_minute)
  return missing > 0 and math.ceil(missing * 60000 / per_minute) or 0
end

local function spend(key, per_minute, tokens)
  if per_minute > 0 then
    local left = level(key, per_minute) - tokens
    redis.call('HSET', key, 'level', left, 'at', NOW)
    -- Until the bucket is full again: one that is forgotten counts as full.
    redis.call('PEXPIRE', key, 60000 + math.ceil(math.max(per_minute - left, 0) * 60000 / per_minute))
  end
end
