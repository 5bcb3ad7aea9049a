-- Says that a consumer still works on its entries, so that nobody takes them over.
--
-- ARGV  consumer · tenant · entry · tenant · entry …
-- Returns for each entry 1, or 0 when it is no longer this consumer's.

local consumer = take()
local kept = {}
for i = taken + 1, #ARGV, 2 do
  local T, entry = tenant_keys(ARGV[i]), ARGV[i + 1]
  local mine = holder(T, entry) == consumer
  if mine then
    redis.call('XCLAIM', T.stream, GROUP, consumer, 0, entry, 'JUSTID')
  end
  kept[#kept + 1] = mine and 1 or 0
end
return kept
