-- What scripts on credentials share: forgetting one with all that points to it, and whose version is the newest.
--
-- KEYS[1]  root of the credentials

-- Whether no newer version of a resource has written; from now on no older one does.
local function is_newest(uid, version, kept)
  local newest = tonumber(redis.call('GET', C.version .. uid) or '-1') <= tonumber(version)
  if newest then
    redis.call('SET', C.version .. uid, version, 'PX', kept)
  end
  return newest
end

-- The name by which what a credential makes knows it: its resource's, or its own.
local function maker_name(token_id, uid)
  return uid ~= '' and uid or token_id
end

-- Takes a credential away, and its place in every list. Returns 1, or 0 when its record was gone already.
local function forget(tenant, token_id, hash)
  local record = C.record .. hash
  local of = redis.call('HMGET', record, 'listed', 'made_by')
  local there = redis.call('DEL', record)
  redis.call('ZREM', C.all, hash)
  if of[1] then
    redis.call('ZREM', C.listed .. tenant, of[1])
  end
  if of[2] then
    redis.call('SREM', C.made_by .. tenant .. ':' .. of[2], token_id)
  end
  if redis.call('HGET', C.tokens .. tenant, token_id) == hash then
    redis.call('HDEL', C.tokens .. tenant, token_id)
    redis.call('ZREM', C.made .. tenant, token_id)
  end
  redis.call('SREM', C.suspended .. tenant, token_id)
  redis.call('PUBLISH', NOTICES, 'credential ' .. hash)
  return there
end

-- The hashes of all that these makers made, and that those made in turn: {token id, hash} each, makers before what
-- they made. Drops what has expired and is forgotten. Owners of resources may go round in a circle: each is found once.
local function made_by(tenant, makers)
  local found, seen, at = {}, {}, 1
  while makers[at] do
    local set = C.made_by .. tenant .. ':' .. makers[at]
    for _, id in ipairs(redis.call('SMEMBERS', set)) do
      local hash = redis.call('HGET', C.tokens .. tenant, id)
      local uid = hash and redis.call('HGET', C.record .. hash, 'uid')
      if not uid then
        redis.call('SREM', set, id)
      elseif not seen[id] then
        seen[id] = true
        found[#found + 1] = {id, hash}
        makers[#makers + 1] = maker_name(id, uid)
      end
    end
    at = at + 1
  end
  return found
end

-- Refuses a credential while what made it is refused, and remembers for what it makes whether it is refused itself.
local function hold(tenant, token_id, hash)
  local record = C.record .. hash
  local data, made_by, uid = unpack(redis.call('HMGET', record, 'data', 'made_by', 'uid'))
  if data then
    local held = made_by and redis.call('SMISMEMBER', C.suspended .. tenant, made_by)[1] == 1
    if made_by then
      redis.call('HSET', record, 'held', held and 1 or 0)
    end
    local suspended = held or cjson.decode(data).suspended
    redis.call(suspended and 'SADD' or 'SREM', C.suspended .. tenant, maker_name(token_id, uid))
  end
  redis.call('PUBLISH', NOTICES, 'credential ' .. hash)
end

-- Holds a credential, and where that changes whether it is refused, all that it made.
local function hold_all(tenant, token_id, hash)
  local set = C.suspended .. tenant
  local data, uid = unpack(redis.call('HMGET', C.record .. hash, 'data', 'uid'))
  local name = maker_name(token_id, uid)
  local was, makers, family = redis.call('SMISMEMBER', set, name)[1], {name}, nil
  if was == 1 and not cjson.decode(data).suspended then
    -- Owners of resources may go round in a circle: what it made does not hold it.
    family = made_by(tenant, makers)
    for _, maker in ipairs(makers) do
      redis.call('SREM', set, maker)
    end
  end
  hold(tenant, token_id, hash)
  if not family and redis.call('SMISMEMBER', set, name)[1] ~= was then
    family = made_by(tenant, makers)
  end
  for _, one in ipairs(family or {}) do
    hold(tenant, one[1], one[2])
  end
end
