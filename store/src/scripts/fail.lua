-- Fails a job for good; its entry stays in the dead-letter stream.
--
-- ARGV  tenant · job id · entry · attempt · code · message
-- Returns ok | done (it was ended by this attempt before) | stale (the job is somebody else's: nothing changed)

local tenant, id, entry, attempt = take(), take(), take(), take()
local T = tenant_keys(tenant)
local job = job_of(T, id)
local verdict = fence(job, entry, attempt)
if verdict == 'ok' then
  dead_letter(T, tenant, id, job, take(), take())
end
return verdict
