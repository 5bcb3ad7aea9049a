-- Tasks and their index: records, mentions, columns, sorted lists, postings, links, vocabulary and moves, kept right together.
-- Behind lib/queue.lua, in front of every script that reads or changes tasks.
--
-- ARGV  tenant · '' or 'settling' · what the script itself names
--
-- A task's ordinal is its number within the tenant, never used again. 65,536 ordinals are a chunk. Of each chunk:
--   at:<chunk> 6 bytes, rank:<chunk> 4, ids:<chunk> 16 an ordinal; post:<chunk>:<term> the tasks under a term.
-- A posting of up to 512 bytes is a row of u16; a longer one is a bitmap, and long:<chunk> names its term. All numbers are big-endian, so that the order
-- of bytes is the order of numbers. What a change writes depends on the change, not on how many tasks there are.

local TENANT = take()
local T = tenant_keys(TENANT)
-- An erasure that was accepted, and an index of the layout before this one, come first.
if take() ~= 'settling' and redis.call('EXISTS', T.erasing, T.chunks) > 0 then
  do return redis.error_reply('UNSETTLED something is to be done first') end
end

local CHUNK = 65536
local LONGEST_ROW, SHORTEST_BITMAP = 512, 64
local RANKS = 65536
local COLUMNS = {at = 6, rank = 4, ids = 16}
local BASES = {at = T.at, rank = T.rank, ids = T.ids}
local MOVES_HOUR, MOVES_KEPT = 3600000, 25 * 3600000
local WATCHED_FOR, WATCHED_MOST = 600000, 8192
-- Tasks under one link: the latest.
local LINKED_MOST = 64
-- Terms that one script adds or removes; more removals are put off.
local TERMS_AT_ONCE = 500
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

-- A record is '<rev> <ordinal> <json>'. Returns both numbers as they stand, or nil.
local function head_of(id)
  return string.match(redis.call('GETRANGE', T.task .. id, 0, 31), '^(%d+) (%d+) ')
end

-- Records, each with the mentions that are kept apart from it, or false.
local function records_of(ids)
  local tasks, said = {}, {}
  for i, id in ipairs(ids) do
    tasks[i], said[i] = T.task .. id, T.said .. id
  end
  local records = #ids > 0 and redis.call('MGET', unpack(tasks)) or {}
  local more = #ids > 0 and redis.call('EXISTS', unpack(said)) > 0
  for i, record in ipairs(records) do
    records[i] = record and {record, unpack(more and redis.call('HVALS', said[i]) or {})}
  end
  return records
end

local function take_list()
  local list = {}
  for i = 1, tonumber(take()) do
    list[i] = take()
  end
  return list
end

-- One change: what the task was and is, as computed from the record of revision `rev` ('0': there was none).
-- `json` is '' where the task goes; `was` and `is` are statuses; `ordinal` is '' but for a new task with one; `lesson` is
-- what the task teaches from now on, '' where that stays, '-' where it teaches nothing any more.
local function take_change()
  local c = {id = take(), rev = take(), next = take(), json = take(), at = take(), rank = take(), was = take(),
    is = take(), ids = take(), ordinal = take()}
  c.said, c.unsaid, c.counted, c.uncounted = take_list(), take_list(), take_list(), take_list()
  c.removed, c.added, c.unlinked, c.linked = take_list(), take_list(), take_list(), take_list()
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
local function fits(c)
  local rev, ordinal = head_of(c.id)
  c.ordinal = tonumber(ordinal or c.ordinal)
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
  while at do
    if at % width == 1 then
      row = string.sub(row, 1, at - 1) .. string.sub(row, at + width)
      at = at - 1
    end
    at = string.find(row, entry, at + 1, true)
  end
  return row
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

-- Makes a bitmap of a row that has become too long; longer than any row, so that its length tells what it is. What is longer by
-- more than one entry is a bitmap that was not known to be one.
local function to_bitmap(key, row)
  local bitmap = ''
  if #row > LONGEST_ROW + 2 then
    bitmap, row = string.sub(row, 1, -3), string.sub(row, -2)
  end
  redis.call('SET', key, bitmap .. string.rep('\0', LONGEST_ROW + 1 - #bitmap))
  for at = 1, #row, 2 do
    redis.call('SETBIT', key, number_of(string.sub(row, at, at + 1)), 1)
  end
end

local function is_word(term)
  return string.byte(term) == 119 -- 'w'
end

local function place_of(ordinal)
  return whole(math.floor(ordinal / CHUNK)), ordinal % CHUNK, u32(ordinal)
end

local function add_terms(ordinal, terms)
  local chunk, place = place_of(ordinal)
  local long, words = #terms > 0 and redis.call('SMISMEMBER', T.long .. chunk, unpack(terms)), {}
  for i, term in ipairs(terms) do
    local key = T.post .. chunk .. ':' .. term
    local length = long[i] == 1 and redis.call('SETBIT', key, place, 1) or redis.call('APPEND', key, u16(place))
    if length > LONGEST_ROW then
      to_bitmap(key, redis.call('GET', key))
      redis.call('SADD', T.long .. chunk, term)
    elseif length == 2 and is_word(term) then
      words[#words + 1] = '0'
      words[#words + 1] = string.sub(term, 2)
    end
  end
  if #words > 0 then
    redis.call('ZADD', T.vocab, unpack(words))
  end
end

-- Takes a word out of the vocabulary once no chunk has it.
local function forget_word(term)
  for _, chunk in ipairs(redis.call('HKEYS', T.counts)) do
    if redis.call('EXISTS', T.post .. chunk .. ':' .. term) == 1 then
      return
    end
  end
  redis.call('ZREM', T.vocab, string.sub(term, 2))
end

local function remove_terms(ordinal, terms)
  local chunk, place = place_of(ordinal)
  for _, term in ipairs(terms) do
    local key = T.post .. chunk .. ':' .. term
    local row
    if redis.call('STRLEN', key) > LONGEST_ROW then
      redis.call('SETBIT', key, place, 0)
      row = redis.call('BITCOUNT', key) <= SHORTEST_BITMAP and row_of(redis.call('GET', key))
      if row then
        redis.call('SREM', T.long .. chunk, term)
      end
    else
      row = without(redis.call('GET', key) or '', u16(place))
    end
    if row == '' then
      redis.call('DEL', key)
      if is_word(term) then
        forget_word(term)
      end
    elseif row then
      redis.call('SET', key, row)
    end
  end
end

-- Removes terms, or puts it off where the script has removed its share: a posting may say too much.
local removed = 0
local function remove_in_time(ordinal, terms)
  removed = removed + #terms
  if removed <= TERMS_AT_ONCE then
    remove_terms(ordinal, terms)
  elseif #terms > 0 then
    redis.call('XADD', T.chores, '*', 'terms', cmsgpack.pack({ordinal, terms}))
    redis.call('ZADD', P.sweep, whole(NOW), TENANT)
  end
end

local function column(name, chunk)
  return BASES[name] .. chunk
end

local function row_at(name, chunk, place)
  local width = COLUMNS[name]
  return redis.call('GETRANGE', column(name, chunk), place * width, place * width + width - 1)
end

local function set_row(name, chunk, place, value)
  redis.call('SETRANGE', column(name, chunk), place * COLUMNS[name], value)
end

-- Looks for the best task of a due day again once one with that score has left it.
local function lower_top(status, score)
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
local function list(status, member, c)
  local before, score = redis.call('ZSCORE', T.due .. status, member), number_of(c.rank)
  redis.call('ZADD', T.recent .. status, whole(number_of(c.at)), member)
  redis.call('ZADD', T.due .. status, whole(score), member)
  redis.call('ZADD', T.tops .. status, 'GT', whole(score), math.floor(score / RANKS))
  if before and tonumber(before) ~= score then
    lower_top(status, tonumber(before))
  end
end

local function unlist(status, member)
  local score = redis.call('ZSCORE', T.due .. status, member)
  redis.call('ZREM', T.recent .. status, member)
  redis.call('ZREM', T.due .. status, member)
  if score then
    lower_top(status, tonumber(score))
  end
end

-- Where the log of moves ends: {hour, bytes}.
local function moves_end()
  local hour = whole(math.floor(NOW / MOVES_HOUR))
  return {hour, redis.call('STRLEN', T.moves .. hour)}
end

-- The log of moves from there on: {hour, bytes} of its end, and the log.
local function moves_since(hour, from)
  local now = moves_end()
  local log = {}
  for segment = tonumber(hour), tonumber(now[1]) do
    log[#log + 1] = redis.call('GETRANGE', T.moves .. whole(segment), from, -1)
    from = 0
  end
  return now, table.concat(log)
end

-- Remembers what a task was sorted by, for walks that have begun before.
local function log_move(member, at, rank)
  local hour = moves_end()[1]
  redis.call('APPEND', T.moves .. hour, member .. at .. rank)
  redis.call('PEXPIRE', T.moves .. hour, MOVES_KEPT)
end

-- Puts a task at the end of its links' rows, or takes it out of them.
local function link(ordinal, links, there)
  if #links == 0 then
    return
  end
  local entry, rows, gone = u32(ordinal), {}, {}
  for i, row in ipairs(redis.call('HMGET', T.linked, unpack(links))) do
    row = without(row or '', entry) .. (there and entry or '')
    if row == '' then
      gone[#gone + 1] = links[i]
    else
      rows[#rows + 1] = links[i]
      rows[#rows + 1] = string.sub(row, -LINKED_MOST * #entry)
    end
  end
  if #rows > 0 then
    redis.call('HSET', T.linked, unpack(rows))
  end
  if #gone > 0 then
    redis.call('HDEL', T.linked, unpack(gone))
  end
end

-- Remembers that tasks came under these links and items, for those who looked just before.
local function note_links(changes)
  local number, noted = nil, {}
  local function note(terms, kind)
    for _, term in ipairs(terms) do
      if not kind or string.byte(term) == kind then
        number = number or redis.call('INCR', T.notes)
        noted[#noted + 1] = number
        noted[#noted + 1] = term
      end
    end
  end
  for _, c in ipairs(changes) do
    note(c.linked)
    note(c.added, 120) -- 'x'
  end
  for from = 1, #noted, 1000 do
    redis.call('ZADD', T.noted, unpack(noted, from, math.min(from + 999, #noted)))
  end
  if number then
    redis.call('PEXPIRE', T.noted, WATCHED_FOR)
    redis.call('ZREMRANGEBYRANK', T.noted, 0, -WATCHED_MOST - 1)
  end
end

-- What a later look at the same terms is compared with: '<number>-<ms>'.
local function horizon()
  return (redis.call('GET', T.notes) or '0') .. '-' .. whole(NOW)
end

-- Whether no task has come under any of these links and items since that horizon. Too long ago to know counts as "has".
local function unchanged(seen, terms)
  local number, at = string.match(seen, '^(%d+)-(%d+)$')
  if NOW - tonumber(at) > WATCHED_FOR / 2 then
    return false
  end
  if redis.call('ZCARD', T.noted) >= WATCHED_MOST then
    if tonumber(number) < tonumber(redis.call('ZRANGE', T.noted, 0, 0, 'WITHSCORES')[2]) then
      return false
    end
  end
  for _, last in ipairs(#terms > 0 and redis.call('ZMSCORE', T.noted, unpack(terms)) or {}) do
    if last and tonumber(last) > tonumber(number) then
      return false
    end
  end
  return true
end

local function forget_columns(chunk)
  for name in pairs(COLUMNS) do
    redis.call('DEL', column(name, chunk))
  end
  redis.call('HDEL', T.counts, chunk)
end

local function put_rows(chunk, place, member, c)
  local new = c.was == ''
  local at, rank = c.at, c.rank
  if new then
    redis.call('HINCRBY', T.counts, chunk, 1)
    set_row('ids', chunk, place, c.ids)
  else
    at, rank = row_at('at', chunk, place), row_at('rank', chunk, place)
  end
  if at ~= c.at or rank ~= c.rank then
    log_move(member, at, rank)
  end
  if new or at ~= c.at then
    set_row('at', chunk, place, c.at)
  end
  if new or rank ~= c.rank then
    set_row('rank', chunk, place, c.rank)
  end
  if c.was ~= '' and c.was ~= c.is then
    unlist(c.was, member)
  end
  if c.was ~= c.is or at ~= c.at or rank ~= c.rank then
    list(c.is, member, c)
  end
end

-- Forgets the oldest lessons of whoever taught most, then of whoever did after that, until the most are left: so nobody's
-- flood pushes the lessons of others out. A lesson is that of who first rated its task; edits by hand are one voice.
local function forget_loudest()
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
local function time_of()
  return math.max(NOW, tonumber(redis.call('HGET', T.learning, 'forgotten') or '0') + 1)
end

-- Keeps what a task teaches, or takes it back, in the step in which the task changes: so each counts once.
local function teach(id, lesson)
  local changed = 1
  if lesson == '-' then
    changed = redis.call('HDEL', T.lessons, id)
    redis.call('ZREM', T.lessons_at, id)
    -- It may hold words of what was erased.
    redis.call('HDEL', T.learning, 'model', 'model_revision', 'model_day')
  else
    redis.call('HSET', T.lessons, id, lesson)
    redis.call('ZADD', T.lessons_at, whole(time_of()), id)
    if redis.call('ZCARD', T.lessons_at) > LESSONS_MOST + LESSONS_MORE then
      forget_loudest()
    end
  end
  if changed == 1 then
    redis.call('HINCRBY', T.learning, 'revision', 1)
  end
end

-- Writes what items say of a task: the mentions that changed, and which items are counted and no more.
local function write_mentions(c)
  local function write(verb, key, list)
    for from = 1, #list, 1000 do
      redis.call(verb, key .. c.id, unpack(list, from, math.min(from + 999, #list)))
    end
  end
  write('HSET', T.said, c.said)
  write('HDEL', T.said, c.unsaid)
  write('HSET', T.others, c.counted)
  write('HDEL', T.others, c.uncounted)
end

local function remove(c, chunk, place, member)
  redis.call('DEL', T.task .. c.id, T.said .. c.id, T.others .. c.id)
  unlist(c.was, member)
  set_row('ids', chunk, place, string.rep('\0', COLUMNS.ids))
  if redis.call('HINCRBY', T.counts, chunk, -1) == 0 then
    forget_columns(chunk)
  end
end

-- Applies a change that fits. Postings come first and go last: they may say too much, never too little.
local function apply(c)
  local ordinal = c.ordinal or redis.call('INCR', T.ordinals) - 1
  local chunk, place, member = place_of(ordinal)
  if c.json == '' then
    remove(c, chunk, place, member)
  else
    redis.call('SET', T.task .. c.id, c.next .. ' ' .. whole(ordinal) .. ' ' .. c.json)
    write_mentions(c)
    put_rows(chunk, place, member, c)
    add_terms(ordinal, c.added)
    link(ordinal, c.linked, true)
  end
  link(ordinal, c.unlinked, false)
  remove_in_time(ordinal, c.removed)
  if c.lesson ~= '' then
    teach(c.id, c.lesson)
  end
  emit(T, TENANT, c.kind, 'data', c.data)
end

-- Applies all changes, or none where one does not fit. Returns whether they are there now.
local function apply_all(changes)
  local done = false
  for _, c in ipairs(changes) do
    local verdict = fits(c)
    if verdict == 'no' then
      return false
    end
    done = done or verdict == 'done'
  end
  if done or #changes == 0 then
    return true
  end
  for _, c in ipairs(changes) do
    apply(c)
  end
  note_links(changes)
  tell('events ' .. TENANT)
  return true
end
