-- What the scripts of the language model share: its keys, its buckets of tokens and when it counts as broken.

local L = {gate = KEYS[1] .. ':gate', under_way = KEYS[1] .. ':under-way', spent = KEYS[1] .. ':spent'}
-- Share of the past in the share of failures: one in five is the last request.
local KEPT = 0.8
-- Share of failures from which the model counts as broken: eight in a row.
local BROKEN = 0.8
-- First and longest rest of a broken one, in milliseconds.
local RESTS = {5000, 60000}

local taken = 0
local function take()
  taken = taken + 1
  return ARGV[taken]
end

local function clock()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

local function spent_by(tenant)
  return L.spent .. ':' .. tenant
end

-- Tokens that may be spent now: a minute's worth at most.
local function level(key, per_minute, now)
  local state = redis.call('HMGET', key, 'level', 'at')
  if not state[1] then
    return per_minute
  end
  return math.min(per_minute, tonumber(state[1]) + (now - tonumber(state[2])) * per_minute / 60000)
end

-- Milliseconds until there are so many; what costs more than a minute's worth waits for all of it.
local function lacks(key, per_minute, tokens, now)
  if per_minute == 0 then
    return 0
  end
  local missing = math.min(tokens, per_minute) - level(key, per_minute, now)
  return missing > 0 and math.ceil(missing * 60000 / per_minute) or 0
end

local function spend(key, per_minute, tokens, now)
  if per_minute > 0 then
    redis.call('HSET', key, 'level', level(key, per_minute, now) - tokens, 'at', now)
    -- Long enough for what was overdrawn to come back.
    redis.call('PEXPIRE', key, 120000 + math.ceil(math.max(tokens, 0) * 60000 / per_minute))
  end
end

-- Puts back what was charged beyond the cost.
local function settle(key, per_minute, charged, cost, now)
  spend(key, per_minute, cost - charged, now)
end
