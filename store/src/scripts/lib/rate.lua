-- Rates over all pods. A bucket of `burst` that fills at `per_minute` is kept as the time at which it will be full again.
--
-- How a bucket stands with one request more; nothing where it has no limit.
local function bucket(T, name, per_minute, burst)
  if per_minute == 0 or burst == 0 then
    return nil
  end
  local each, key = 60000 / per_minute, T.rate .. name
  local full_at = math.max(tonumber(redis.call('GET', key) or '0'), NOW)
  return {key = key, each = each, room = burst * each, full_at = full_at, over = full_at + each - NOW - burst * each}
end

-- Charges a request to its token's bucket and to its tenant's: to both, or where one has no room to neither.
-- Returns whole requests left to the token (-1: any number), seconds until its bucket is full, and seconds to wait
-- (0: go on).
local function charge(T, token, per_minute, burst, tenant, tenant_per_minute, tenant_burst)
  local mine, ours = bucket(T, token, per_minute, burst), bucket(T, tenant, tenant_per_minute, tenant_burst)
  local wait = 0
  for _, one in pairs({mine = mine, ours = ours}) do
    if one.over > 0 then
      wait = math.max(wait, 1, math.ceil(one.over / 1000))
    end
  end
  for _, one in pairs({mine = mine, ours = ours}) do
    if wait == 0 then
      one.full_at = one.full_at + one.each
      redis.call('SET', one.key, string.format('%.3f', one.full_at), 'PX', whole(math.ceil(one.full_at - NOW)))
    end
  end
  if not mine then
    return -1, 0, wait
  end
  local reset = math.ceil((mine.full_at - NOW) / 1000)
  return wait > 0 and 0 or math.floor((mine.room - (mine.full_at - NOW)) / mine.each + 0.001), reset, wait
end
