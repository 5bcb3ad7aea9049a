-- The rate of one token over all pods: a bucket of `burst` that fills at `per_minute`, kept as the time at which it
-- will be full again. Returns whole requests left, seconds until the bucket is full, and seconds to wait (0: go on).
local function charge(T, token, per_minute, burst)
  local each = 60000 / per_minute
  local full_at = math.max(tonumber(redis.call('GET', T.rate .. token) or '0'), NOW)
  local over = full_at + each - NOW - burst * each
  if over > 0 then
    return 0, math.ceil((full_at - NOW) / 1000), math.max(1, math.ceil(over / 1000))
  end
  full_at = full_at + each
  redis.call('SET', T.rate .. token, string.format('%.3f', full_at), 'PX', whole(math.ceil(full_at - NOW)))
  return math.floor((burst * each - (full_at - NOW)) / each + 0.001), math.ceil((full_at - NOW) / 1000), 0
end
