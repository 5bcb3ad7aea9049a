-- A page of a tenant's jobs, last accepted first.
--
-- ARGV  tenant · status or '' for any · order of acceptance to begin below ('': the newest) · most to return
-- Returns {where the next page begins or '', id, fields, id, fields, ...}; a job whose record has expired since is
--       left out.

local T = tenant_keys(take())
local status, below, limit = take(), take(), tonumber(take())
local from = below == '' and '+inf' or '(' .. below

local rows = {}
for _, list in ipairs(status == '' and {'accepted', 'running', 'succeeded', 'failed'} or {status}) do
  local found = redis.call('ZREVRANGEBYSCORE', T.jobs .. list, from, '-inf', 'WITHSCORES', 'LIMIT', 0, limit)
  for i = 1, #found, 2 do
    rows[#rows + 1] = {id = found[i], seq = tonumber(found[i + 1])}
  end
end
table.sort(rows, function(a, b) return a.seq > b.seq end)

local page = {#rows >= limit and whole(rows[limit].seq) or ''}
for i = 1, math.min(limit, #rows) do
  local fields = redis.call('HGETALL', T.job .. rows[i].id)
  if #fields > 0 then
    page[#page + 1] = rows[i].id
    page[#page + 1] = fields
  end
end
return page
