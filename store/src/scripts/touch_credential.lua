-- Writes down that a credential was used, unless that was done a short while ago.
--
-- KEYS[1]  root of the credentials
-- ARGV  hash (hex) · how long a use stands, in ms
-- Returns nothing.

local record = C.record .. ARGV[1]
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local last = redis.call('HMGET', record, 'data', 'last_used')
if last[1] and now - tonumber(last[2] or '0') >= tonumber(ARGV[2]) then
  redis.call('HSET', record, 'last_used', string.format('%.0f', now))
end
return nil
