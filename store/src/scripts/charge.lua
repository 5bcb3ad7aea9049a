-- Charges a request to the rates of its token and its tenant: a submission that is refused before acceptance, or feedback.
--
-- ARGV  tenant · token's bucket · allowed per minute · burst · tenant's bucket · allowed per minute · burst
-- Returns {requests left (-1: any number), seconds to a full bucket, seconds to wait (0: within the rate)}
local T = tenant_keys(take())
local token, per_minute, burst, ours = take(), tonumber(take()), tonumber(take()), take()
local answer = {charge(T, token, per_minute, burst, ours, tonumber(take()), tonumber(take()))}
write_buckets()
return answer
