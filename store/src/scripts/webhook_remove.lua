-- Removes an endpoint with all that is kept of it.
--
-- ARGV  tenant · id
-- Returns 1, or 0 when there was none.

local tenant, id = take(), take()
local T = tenant_keys(tenant)
redis.call('ZREM', P.webhooks, name_of(tenant, id))
redis.call('SREM', T.webhooks, id)
return redis.call('DEL', T.webhook .. id, T.message .. id, T.unsent .. id, T.sent .. id) > 0 and 1 or 0
