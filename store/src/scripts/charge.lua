-- Charges a request to its token's rate: a submission that is refused before acceptance, or feedback.
--
-- ARGV  tenant · token id, of feedback with `:feedback` · allowed per minute · burst
-- Returns {requests left, seconds to a full bucket, seconds to wait (0: within the rate)}

local T = tenant_keys(take())
local token = take()
return {charge(T, token, tonumber(take()), tonumber(take()))}
