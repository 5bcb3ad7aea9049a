-- Rates over all pods. A bucket of `burst` that fills at `per_minute` is kept as the time at which it will be full again.
--
-- The buckets that a call has met: each is read once, and written once.
local buckets = {}
local function bucket(key, per_minute, burst)
  local one, each = buckets[key], 60000 / per_minute
  one.each, one.room, one.over = each, burst * each, one.full_at + each - NOW - burst * each
  return one
end

-- Charges a request to its token's bucket and to its tenant's: to both, or where one has no room to neither; a rate of 0
-- has no bucket. Returns whole requests left to the token (-1: any number), seconds until its bucket is full, and seconds to
-- wait (0: go on).
local function charge(T, token, per_minute, burst, tenant, tenant_per_minute, tenant_burst)
  local has_mine, has_ours = per_minute * burst > 0, tenant_per_minute * tenant_burst > 0
  local keys = {T.rate .. token, T.rate .. tenant}
  if (has_mine and not buckets[keys[1]]) or (has_ours and not buckets[keys[2]]) then
    for i, full_at in ipairs(redis.call('MGET', unpack(keys))) do
      buckets[keys[i]] = buckets[keys[i]] or {full_at = math.max(tonumber(full_at or '0'), NOW)}
    end
  end
  local mine = has_mine and bucket(keys[1], per_minute, burst)
  local ours = has_ours and bucket(keys[2], tenant_per_minute, tenant_burst)
  local over, wait = math.max(mine and mine.over or 0, ours and ours.over or 0), 0
  if over > 0 then
    wait = math.max(1, math.ceil(over / 1000))
  end
  for _, one in ipairs({mine or ours, mine and ours}) do
    if one and wait == 0 then
      one.full_at, one.charged = one.full_at + one.each, true
    end
  end
  if not mine then
    return -1, 0, wait
  end
  local reset = math.ceil((mine.full_at - NOW) / 1000)
  return wait > 0 and 0 or math.floor((mine.room - (mine.full_at - NOW)) / mine.each + 0.001), reset, wait
end

local function write_buckets()
  for key, one in pairs(buckets) do
    if one.charged then
      redis.call('SET', key, string.format('%.3f', one.full_at), 'PX', whole(math.ceil(one.full_at - NOW)))
    end
  end
end
