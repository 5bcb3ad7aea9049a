-- Writes down that a credential was used, unless that was done a short while ago.
--
-- KEYS[1]  root of the credentials
-- ARGV  hash (hex) · how long a use stands, in ms
-- Returns nothing.
local record = C.record .. ARGV[1]
local last = redis.call('HMGET', record, 'data', 'last_used')
if last[1] and NOW - tonumber(last[2] or '0') >= tonumber(ARGV[2]) then
  redis.call('HSET', record, 'last_used', whole(NOW))
end
return nil
