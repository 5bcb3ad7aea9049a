-- Tasks and their index: records, columns, sorted lists, postings, vocabulary and moves, kept right together.
-- Behind lib/queue.lua, in front of every script that changes a task.
--
-- A task's ordinal is its number within the tenant, never used again. 65,536 ordinals are a chunk. Of each chunk:
--   at:<chunk> 6 bytes, rank:<chunk> 4, ids:<chunk> 16 an ordinal; ix:<chunk> term -> posting.
-- A posting is a row of u16 while it is short, and DENSE, with a bitmap in bits:<chunk>:<term>, when it is long.
-- Links are kept apart: of their 3 bytes the first names a posting 'l<byte>', a row of the other two and a u16 each.
-- All numbers are big-endian, so that the order of bytes is the order of numbers.

local CHUNK = 65536
local DENSE = '*'
local LONGEST_ROW, SHORTEST_BITMAP = 512, 64
local RANKS = 65536
local COLUMNS = {at = 6, rank = 4, ids = 16}
local MOVES_HOUR, MOVES_KEPT = 3600000, 25 * 3600000
local LINKS_KEPT, LINKS_MOST = 600000, 8192
-- So many are forgotten at once, as that takes a look at all.
local LESSONS_MOST, LESSONS_MORE = 1000, 200

local function u16(number)
  return string.char(math.floor(number / 256), number % 256)
end

local function u32(number)
  return u16(math.floor(number / 65536)) .. u16(number % 65536)
end

local function number_of(bytes)
  local number = 0
  for i = 1, #bytes do
    number = number * 256 + string.byte(bytes, i)
  end
  return number
end

-- The text of an id's 16 bytes.
local UUID = string.rep('%02x', 4) .. string.rep('-%02x%02x', 4) .. string.rep('%02x', 4)
local function uuid_of(bytes)
  return string.format(UUID, string.byte(bytes, 1, 16))
end

-- A record is '<rev> <ordinal> <json>'. Returns both as they stand, or nil.
local function head_of(T, id)
  return string.match(redis.call('GETRANGE', T.task .. id, 0, 31), '^(%d+) (%d+) ')
end

local function take_list()
  local list = {}
  for i = 1, tonumber(take()) do
    list[i] = take()
  end
  return list
end

-- One change: what the task was and is, as computed from the record of revision `rev` ('0': there was none).
-- `json` is '' where the task goes; `was` and `is` are statuses; `lesson` is what the task teaches from now on, '' where
-- that stays, '-' where it teaches nothing any more.
local function take_change()
  local c = {id = take(), rev = take(), next = take(), json = take(), at = take(), rank = take(), was = take(),
    is = take(), ids = take()}
  c.removed, c.added = take_list(), take_list()
  c.unlinked, c.linked = take_list(), take_list()
  c.lesson, c.kind, c.data = take(), take(), take()
  return c
end

local function take_changes()
  local changes = {}
  for i = 1, tonumber(take()) do
    changes[i] = take_change()
  end
  return changes
end

-- Whether a change still fits: 'yes' when the record has the revision that it was computed from, 'done' when the
-- change is there already (its answer was lost), else 'no'.
local function fits(T, c)
  local rev, ordinal = head_of(T, c.id)
  c.ordinal = tonumber(ordinal)
  if (rev or '0') == c.rev then
    return 'yes'
  end
  if c.json == '' then
    return rev and 'no' or 'done'
  end
  return rev == c.next and redis.call('GET', T.task .. c.id) == rev .. ' ' .. ordinal .. ' ' .. c.json and 'done' or 'no'
end

-- A row of entries of one width, without one of them.
local function without(row, entry)
  local width = #entry
  local at = string.find(row, entry, 1, true)
  while at and at % width ~= 1 do
    at = string.find(row, entry, at + 1, true)
  end
  return at and string.sub(row, 1, at - 1) .. string.sub(row, at + width) or row
end

local function row_of(bitmap)
  local row = {}
  for i = 1, #bitmap do
    local byte = string.byte(bitmap, i)
    for bit = 0, 7 do
      if byte >= 2 ^ (7 - bit) then
        byte = byte - 2 ^ (7 - bit)
        row[#row + 1] = u16((i - 1) * 8 + bit)
      end
    end
  end
  return table.concat(row)
end

-- Calls `each` with 1,000 terms at a time and their postings.
local function with_postings(T, chunk, terms, each)
  for from = 1, #terms, 1000 do
    local part = {unpack(terms, from, math.min(from + 999, #terms))}
    each(part, redis.call('HMGET', T.ix .. chunk, unpack(part)))
  end
end

local function set_all(key, verb, values)
  if #values > 0 then
    redis.call(verb, key, unpack(values))
  end
end

local function add_terms(T, chunk, place, terms)
  local entry = u16(place)
  with_postings(T, chunk, terms, function(part, postings)
    local rows, words = {}, {}
    for i, term in ipairs(part) do
      local posting = postings[i] or ''
      if posting == '' and string.byte(term) == 119 then -- 'w'
        words[#words + 1] = '0'
        words[#words + 1] = string.sub(term, 2)
      end
      if posting ~= DENSE then
        rows[#rows + 1] = term
        rows[#rows + 1] = #posting < LONGEST_ROW and posting .. entry or DENSE
      end
      if #posting >= LONGEST_ROW then
        for at = 1, #posting, 2 do
          redis.call('SETBIT', T.bits .. chunk .. ':' .. term, number_of(string.sub(posting, at, at + 1)), 1)
        end
      end
      if posting == DENSE or #posting >= LONGEST_ROW then
        redis.call('SETBIT', T.bits .. chunk .. ':' .. term, place, 1)
      end
    end
    set_all(T.ix .. chunk, 'HSET', rows)
    set_all(T.vocab, 'ZADD', words)
  end)
end

-- Takes one bit out of a bitmap. Returns the row that is to stand in its place once few are left, else nil.
local function clear_bit(T, chunk, place, term)
  local key = T.bits .. chunk .. ':' .. term
  redis.call('SETBIT', key, place, 0)
  if redis.call('BITCOUNT', key) > SHORTEST_BITMAP then
    return nil
  end
  local row = row_of(redis.call('GET', key))
  redis.call('DEL', key)
  return row
end

-- Takes a word out of the vocabulary once no chunk has it.
local function forget_word(T, term)
  for _, chunk in ipairs(redis.call('HKEYS', T.chunks)) do
    if redis.call('HEXISTS', T.ix .. chunk, term) == 1 then
      return
    end
  end
  redis.call('ZREM', T.vocab, string.sub(term, 2))
end

local function remove_terms(T, chunk, place, terms)
  local entry = u16(place)
  with_postings(T, chunk, terms, function(part, postings)
    local rows, gone = {}, {}
    for i, term in ipairs(part) do
      local posting, row = postings[i] or '', nil
      if posting == DENSE then
        row = clear_bit(T, chunk, place, term)
      else
        row = without(posting, entry)
      end
      if row == '' then
        gone[#gone + 1] = term
      elseif row then
        rows[#rows + 1] = term
        rows[#rows + 1] = row
      end
    end
    set_all(T.ix .. chunk, 'HSET', rows)
    set_all(T.ix .. chunk, 'HDEL', gone)
    for _, term in ipairs(gone) do
      if string.byte(term) == 119 then -- 'w'
        forget_word(T, term)
      end
    end
  end)
end

local function column(T, name, chunk)
  return T[name] .. chunk
end

local function row_at(T, name, chunk, place)
  local width = COLUMNS[name]
  return redis.call('GETRANGE', column(T, name, chunk), place * width, place * width + width - 1)
end

local function set_row(T, name, chunk, place, value)
  redis.call('SETRANGE', column(T, name, chunk), place * COLUMNS[name], value)
end

-- Looks for the best task of a due day again once one with that score has left it.
local function lower_top(T, status, score)
  local day = math.floor(score / RANKS)
  if redis.call('ZSCORE', T.tops .. status, day) ~= whole(score) then
    return
  end
  local first, last = whole(day * RANKS + RANKS - 1), whole(day * RANKS)
  local top = redis.call('ZREVRANGEBYSCORE', T.due .. status, first, last, 'WITHSCORES', 'LIMIT', 0, 1)[2]
  if top then
    redis.call('ZADD', T.tops .. status, top, day)
  else
    redis.call('ZREM', T.tops .. status, day)
  end
end

-- Lists a task under its status, or takes it off.
local function list(T, status, member, c)
  local before, score = redis.call('ZSCORE', T.due .. status, member), number_of(c.rank)
  redis.call('ZADD', T.recent .. status, whole(number_of(c.at)), member)
  redis.call('ZADD', T.due .. status, whole(score), member)
  redis.call('ZADD', T.tops .. status, 'GT', whole(score), math.floor(score / RANKS))
  if before and tonumber(before) ~= score then
    lower_top(T, status, tonumber(before))
  end
end

local function unlist(T, status, member)
  local score = redis.call('ZSCORE', T.due .. status, member)
  redis.call('ZREM', T.recent .. status, member)
  redis.call('ZREM', T.due .. status, member)
  if score then
    lower_top(T, status, tonumber(score))
  end
end

-- Where the log of moves ends: {hour, bytes}.
local function moves_end(T)
  local hour = whole(math.floor(NOW / MOVES_HOUR))
  return {hour, redis.call('STRLEN', T.moves .. hour)}
end

-- The log of moves from there on: {hour, bytes} of its end, and the log.
local function moves_since(T, hour, from)
  local now = moves_end(T)
  local log = {}
  for segment = tonumber(hour), tonumber(now[1]) do
    log[#log + 1] = redis.call('GETRANGE', T.moves .. whole(segment), from, -1)
    from = 0
  end
  return now, table.concat(log)
end

-- Remembers what a task was sorted by, for walks that have begun before.
local function log_move(T, member, at, rank)
  local hour = moves_end(T)[1]
  redis.call('APPEND', T.moves .. hour, member .. at .. rank)
  redis.call('PEXPIRE', T.moves .. hour, MOVES_KEPT)
end

-- The posting that a link is in, and what stands for a task there.
local function link_entry(link, place)
  return 'l' .. string.sub(link, 1, 1), string.sub(link, 2) .. u16(place)
end

local function add_links(T, chunk, place, links)
  for _, link in ipairs(links) do
    local term, entry = link_entry(link, place)
    redis.call('HSET', T.ix .. chunk, term, (redis.call('HGET', T.ix .. chunk, term) or '') .. entry)
  end
end

local function remove_links(T, chunk, place, links)
  for _, link in ipairs(links) do
    local term, entry = link_entry(link, place)
    local row = without(redis.call('HGET', T.ix .. chunk, term) or '', entry)
    if row == '' then
      redis.call('HDEL', T.ix .. chunk, term)
    else
      redis.call('HSET', T.ix .. chunk, term, row)
    end
  end
end

-- Remembers that a task came under these links and items, for those who looked just before.
local function log_links(T, links, terms)
  local logged = {unpack(links)}
  for _, term in ipairs(terms) do
    if string.byte(term) == 120 then -- 'x'
      logged[#logged + 1] = term
    end
  end
  if #logged == 0 then
    return
  end
  local number = redis.call('INCR', T.horizon)
  for _, term in ipairs(logged) do
    redis.call('ZADD', T.links, number, term)
  end
  redis.call('PEXPIRE', T.links, LINKS_KEPT)
  redis.call('ZREMRANGEBYRANK', T.links, 0, -LINKS_MOST - 1)
end

-- What a later look at the same terms is compared with: '<number>-<ms>'.
local function horizon(T)
  return (redis.call('GET', T.horizon) or '0') .. '-' .. whole(NOW)
end

-- Whether no task has come under any of these links and items since that horizon. Too long ago to know counts as "has".
local function unchanged(T, seen, terms)
  local number, at = string.match(seen, '^(%d+)-(%d+)$')
  if NOW - tonumber(at) > LINKS_KEPT / 2 then
    return false
  end
  if redis.call('ZCARD', T.links) >= LINKS_MOST then
    if tonumber(number) < tonumber(redis.call('ZRANGE', T.links, 0, 0, 'WITHSCORES')[2]) then
      return false
    end
  end
  for _, term in ipairs(terms) do
    local last = redis.call('ZSCORE', T.links, term)
    if last and tonumber(last) > tonumber(number) then
      return false
    end
  end
  return true
end

local function forget_columns(T, chunk)
  for name in pairs(COLUMNS) do
    redis.call('DEL', column(T, name, chunk))
  end
  redis.call('HDEL', T.chunks, chunk)
end

local function put_rows(T, chunk, place, member, c)
  local new = c.was == ''
  local at, rank = c.at, c.rank
  if new then
    redis.call('HINCRBY', T.chunks, chunk, 1)
    set_row(T, 'ids', chunk, place, c.ids)
  else
    at, rank = row_at(T, 'at', chunk, place), row_at(T, 'rank', chunk, place)
  end
  if at ~= c.at or rank ~= c.rank then
    log_move(T, member, at, rank)
  end
  if new or at ~= c.at then
    set_row(T, 'at', chunk, place, c.at)
  end
  if new or rank ~= c.rank then
    set_row(T, 'rank', chunk, place, c.rank)
  end
  if c.was ~= '' and c.was ~= c.is then
    unlist(T, c.was, member)
  end
  if c.was ~= c.is or at ~= c.at or rank ~= c.rank then
    list(T, c.is, member, c)
  end
end

-- Forgets the oldest lessons of whoever taught most, then of whoever did after that, until the most are left: so nobody's
-- flood pushes the lessons of others out. A lesson is that of who first rated its task; edits by hand are one voice.
local function forget_loudest(T)
  local ids = redis.call('ZRANGE', T.lessons_at, 0, -1)
  local voices = {}
  for place, lesson in ipairs(redis.call('HMGET', T.lessons, unpack(ids))) do
    local who = string.match(lesson or '', '"subject":"(.-)"') or ''
    voices[who] = voices[who] or {oldest = 1}
    table.insert(voices[who], place)
  end
  local gone = {}
  for i = 1, #ids - LESSONS_MOST do
    local loudest, most = nil, 0
    for _, voice in pairs(voices) do
      local left = #voice - voice.oldest + 1
      if left > most or (left == most and left > 0 and voice[voice.oldest] < loudest[loudest.oldest]) then
        loudest, most = voice, left
      end
    end
    gone[i] = ids[loudest[loudest.oldest]]
    loudest.oldest = loudest.oldest + 1
  end
  redis.call('HDEL', T.lessons, unpack(gone))
  redis.call('ZREM', T.lessons_at, unpack(gone))
end

-- When what is said now was said: after the last forgetting, also within its millisecond and where the server's clock was
-- set back since.
local function time_of(T)
  return math.max(NOW, tonumber(redis.call('HGET', T.learning, 'forgotten') or '0') + 1)
end

-- Keeps what a task teaches, or takes it back, in the step in which the task changes: so each counts once.
local function teach(T, id, lesson)
  local changed = 1
  if lesson == '-' then
    changed = redis.call('HDEL', T.lessons, id)
    redis.call('ZREM', T.lessons_at, id)
    -- It may hold words of what was erased.
    redis.call('HDEL', T.learning, 'model', 'model_revision', 'model_day')
  else
    redis.call('HSET', T.lessons, id, lesson)
    redis.call('ZADD', T.lessons_at, whole(time_of(T)), id)
    if redis.call('ZCARD', T.lessons_at) > LESSONS_MOST + LESSONS_MORE then
      forget_loudest(T)
    end
  end
  if changed == 1 then
    redis.call('HINCRBY', T.learning, 'revision', 1)
  end
end

-- Applies a change that fits.
local function apply(T, tenant, c)
  local ordinal = c.ordinal or redis.call('INCR', T.ordinals) - 1
  local chunk, place, member = whole(math.floor(ordinal / CHUNK)), ordinal % CHUNK, u32(ordinal)
  if c.json == '' then
    redis.call('DEL', T.task .. c.id)
    unlist(T, c.was, member)
    remove_terms(T, chunk, place, c.removed)
    remove_links(T, chunk, place, c.unlinked)
    set_row(T, 'ids', chunk, place, string.rep('\0', COLUMNS.ids))
    if redis.call('HINCRBY', T.chunks, chunk, -1) == 0 then
      forget_columns(T, chunk)
    end
  else
    redis.call('SET', T.task .. c.id, c.next .. ' ' .. whole(ordinal) .. ' ' .. c.json)
    put_rows(T, chunk, place, member, c)
    remove_terms(T, chunk, place, c.removed)
    add_terms(T, chunk, place, c.added)
    remove_links(T, chunk, place, c.unlinked)
    add_links(T, chunk, place, c.linked)
    log_links(T, c.linked, c.added)
  end
  if c.lesson ~= '' then
    teach(T, c.id, c.lesson)
  end
  emit(T, tenant, c.kind, 'data', c.data)
end

-- Applies all changes, or none where one does not fit. Returns whether they are there now.
local function apply_all(T, tenant, changes)
  local done = false
  for _, c in ipairs(changes) do
    local verdict = fits(T, c)
    if verdict == 'no' then
      return false
    end
    done = done or verdict == 'done'
  end
  if done or #changes == 0 then
    return true
  end
  for _, c in ipairs(changes) do
    apply(T, tenant, c)
  end
  tell('events ' .. tenant)
  return true
end
