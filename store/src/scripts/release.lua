-- Gives entries back that a consumer holds and has not begun: they count as idle for ever, and idle workers are told.
--
-- ARGV  consumer · tenant · entry · tenant · entry …
-- Returns how many were given back.

local consumer = take()
local FOR_EVER = '2000000000'
local given = 0
for i = taken + 1, #ARGV, 2 do
  local T, entry = tenant_keys(ARGV[i]), ARGV[i + 1]
  if holder(T, entry) == consumer then
    redis.call('XCLAIM', T.stream, GROUP, consumer, 0, entry, 'IDLE', FOR_EVER, 'JUSTID')
    given = given + 1
  end
end
if given > 0 then
  redis.call('PUBLISH', WAKE, PARTITION .. ' reclaim')
end
return given
