-- Lists a tenant's endpoints.
--
-- ARGV  tenant
-- Returns {{field, value, ...} of each, ...}

local T = tenant_keys(take())
local found = {}
for _, id in ipairs(redis.call('SMEMBERS', T.webhooks)) do
  found[#found + 1] = redis.call('HGETALL', T.webhook .. id)
end
return found
