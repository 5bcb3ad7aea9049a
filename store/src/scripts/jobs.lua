-- A page of a tenant's jobs, last accepted first.
--
-- ARGV  tenant · status or '' · order of acceptance to begin below ('' : the newest) · most to return
-- Returns {id, fields, id, fields, ...}; a job whose record has expired since is left out.

local T = tenant_keys(take())
local status, below, limit = take(), take(), take()
local list = status == '' and T.jobs or T.jobs_ .. status
local from = below == '' and '+inf' or '(' .. below
local page = {}
for _, id in ipairs(redis.call('ZREVRANGEBYSCORE', list, from, '-inf', 'LIMIT', 0, limit)) do
  local fields = redis.call('HGETALL', T.job .. id)
  if #fields > 0 then
    page[#page + 1] = id
    page[#page + 1] = fields
  end
end
return page
