-- Charges a request that is refused before acceptance to its token's rate.
--
-- ARGV  tenant · token id · allowed per minute · burst
-- Returns {requests left, seconds to a full bucket, seconds to wait (0: within the rate)}

local T = tenant_keys(take())
local token = take()
return {charge(T, token, tonumber(take()), tonumber(take()))}
