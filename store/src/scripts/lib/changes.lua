-- Changes of tasks: records, mentions, columns, sorted lists, links, moves and lessons, kept right together. Behind
-- lib/postings.lua.
--
-- What a change writes depends on the change, not on how many tasks there are: it appends its terms to `unindexed`, and postings
-- take them from there, those of many changes at once.

local RANKS = 65536
local COLUMNS = {at = 6, rank = 4, ids = 16}
local MOVES_KEPT = 25 * 3600000
-- Bytes of the tasks under one link or item: the latest 64.
local MAX_LINKED = 256
-- So many are forgotten at once, as that takes a look at all.
local MAX_LESSONS, LESSONS_MORE = 1000, 200

-- One change: what the task was and is, as computed from the record of revision `rev` ('0': there was none).
-- `json` is '' where the task goes; `status_before` is '' where there was none; `terms` are those that came and went as
-- `unindexed` keeps them; `item_terms_…` the terms of items, which are looked for at once; `mentions_written` and
-- `counted_added` are {item digest, text, …}, their opposites {item digest, …}; `lesson` is what the task teaches from
-- now on, '' where that stays, '-' where it teaches nothing any more.
local function take_change()
  return {id = take(), rev = take(), next = take(), json = take(), at = take(), rank = take(),
    status_before = take(), status_after = take(), ids = take(), terms = take(),
    mentions_written = take_list(), mentions_deleted = take_list(),
    counted_added = take_list(), counted_removed = take_list(),
    item_terms_removed = take_list(), item_terms_added = take_list(),
    links_removed = take_list(), links_added = take_list(),
    lesson = take(), kind = take(), data = take()}
end

local function take_changes()
  local changes = {}
  for i = 1, tonumber(take()) do
    changes[i] = take_change()
  end
  return changes
end

-- A record is '<rev> <ordinal> <json>'.
local function record_of(c, rev)
  return rev .. ' ' .. whole(c.ordinal) .. ' ' .. c.json
end

-- Whether changes still fit: 'yes' where each record has the revision that its change was computed from, 'done' where a
-- change is there already (its answer was lost), 'no' where one does not fit.
local function fit(changes)
  local keys, verdict = {}, 'yes'
  for i, c in ipairs(changes) do
    keys[i] = T.task .. c.id
  end
  for i, record in ipairs(#keys > 0 and redis.call('MGET', unpack(keys)) or {}) do
    local c = changes[i]
    local rev, ordinal = string.match(record or '', '^(%d+) (%d+) ')
    c.ordinal = tonumber(ordinal)
    if (rev or '0') ~= c.rev then
      if (c.json == '') == (rev ~= nil) or (rev and record ~= record_of(c, c.next)) then
        return 'no'
      end
      verdict = 'done'
    end
  end
  return verdict
end

-- The name of the stage of one attempt of a job: its changes wait at T.staged .. name.
local function stage_of(id, entry, attempt)
  return id .. ':' .. entry .. ':' .. attempt
end

-- Whether records have the revisions that their changes were computed from: {id, revision, …}.
local function are_at(revisions)
  local keys = {}
  for i = 1, #revisions, 2 do
    keys[#keys + 1] = T.task .. revisions[i]
  end
  for i, record in ipairs(#keys > 0 and redis.call('MGET', unpack(keys)) or {}) do
    if (string.match(record or '', '^%d+') or '0') ~= revisions[i * 2] then
      return false
    end
  end
  return true
end

local function row_at(name, chunk, offset)
  local width = COLUMNS[name]
  return redis.call('GETRANGE', T[name] .. chunk, offset * width, offset * width + width - 1)
end

local function set_row(name, chunk, offset, value)
  redis.call('SETRANGE', T[name] .. chunk, offset * COLUMNS[name], value)
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

-- Lists tasks under their status.
local function list(status, tasks)
  local recent, due, tops = {}, {}, {}
  for _, c in ipairs(tasks) do
    local score = number_of(c.rank)
    recent[#recent + 1], recent[#recent + 2] = whole(number_of(c.at)), c.member
    due[#due + 1], due[#due + 2] = whole(score), c.member
    tops[#tops + 1], tops[#tops + 2] = whole(score), math.floor(score / RANKS)
  end
  redis.call('ZADD', T.recent .. status, unpack(recent))
  redis.call('ZADD', T.due .. status, unpack(due))
  redis.call('ZADD', T.tops .. status, 'GT', unpack(tops))
end

local function unlist(status, member)
  local score = redis.call('ZSCORE', T.due .. status, member)
  redis.call('ZREM', T.recent .. status, member)
  redis.call('ZREM', T.due .. status, member)
  if score then
    lower_top(status, tonumber(score))
  end
end

-- Remembers what a task was sorted by, for walks that have begun before.
local function log_move(member, at, rank)
  redis.call('APPEND', T.moves .. HOUR, member .. at .. rank)
  redis.call('PEXPIRE', T.moves .. HOUR, MOVES_KEPT)
end

-- Whether no task has come under any of some links and items since then: {term, the latest task under it then, …}.
local function unchanged(watched)
  local terms = {}
  for i = 1, #watched, 2 do
    terms[#terms + 1] = watched[i]
  end
  fetch_rows(terms)
  for i = 1, #watched, 2 do
    if string.sub(rows[watched[i]], -4) ~= watched[i + 1] then
      return false
    end
  end
  return true
end

-- The links and items whose rows a task leaves, then those whose rows it comes to the end of.
local function linked_by(c)
  return ipairs({c.links_removed, c.item_terms_removed, c.links_added, c.item_terms_added})
end

-- Puts tasks at the end of the rows of their links and items, and takes them out of those that they no longer have.
local function relink(changes)
  local terms, touched = {}, {}
  for _, c in ipairs(changes) do
    for _, list in linked_by(c) do
      for _, term in ipairs(list) do
        if not touched[term] then
          terms[#terms + 1], touched[term] = term, true
        end
      end
    end
  end
  fetch_rows(terms)
  for _, c in ipairs(changes) do
    local entry = u32(c.ordinal)
    for i, list in linked_by(c) do
      for _, term in ipairs(list) do
        local row = c.status_before == '' and rows[term] or without(rows[term], entry)
        rows[term] = i < 3 and row or (#row < MAX_LINKED and row or string.sub(row, #entry - MAX_LINKED)) .. entry
      end
    end
  end
  local put, gone = {}, {}
  for _, term in ipairs(terms) do
    if rows[term] == '' then
      gone[#gone + 1] = term
    else
      put[#put + 1], put[#put + 2] = term, rows[term]
    end
  end
  in_pieces('HSET', T.linked, put)
  in_pieces('HDEL', T.linked, gone)
end

local function forget_columns(chunk)
  redis.call('DEL', T.at .. chunk, T.rank .. chunk, T.ids .. chunk)
  redis.call('HDEL', T.counts, chunk)
end

-- Writes the columns of new tasks, whose ordinals follow one another, and lists them.
local function put_new(tasks)
  local statuses, from = {}, 1
  while from <= #tasks do
    local chunk, offset = offset_of(tasks[from].ordinal)
    local columns, last = {at = '', rank = '', ids = ''}, math.min(from + CHUNK - offset - 1, #tasks)
    for i = from, last do
      local c = tasks[i]
      columns.at, columns.rank, columns.ids = columns.at .. c.at, columns.rank .. c.rank, columns.ids .. c.ids
      statuses[c.status_after] = statuses[c.status_after] or {}
      table.insert(statuses[c.status_after], c)
    end
    for name, rows in pairs(columns) do
      set_row(name, chunk, offset, rows)
    end
    redis.call('HINCRBY', T.counts, chunk, last - from + 1)
    from = last + 1
  end
  for status, listed in pairs(statuses) do
    list(status, listed)
  end
end

-- Writes what has changed of a task's columns, and lists it anew where that moves it.
local function put_again(c)
  local chunk, offset = offset_of(c.ordinal)
  local at, rank = row_at('at', chunk, offset), row_at('rank', chunk, offset)
  if at ~= c.at or rank ~= c.rank then
    log_move(c.member, at, rank)
    set_row('at', chunk, offset, c.at)
    set_row('rank', chunk, offset, c.rank)
  end
  if c.status_before ~= c.status_after then
    unlist(c.status_before, c.member)
  end
  if c.status_before ~= c.status_after or at ~= c.at or rank ~= c.rank then
    list(c.status_after, {c})
    if rank ~= c.rank and c.status_before == c.status_after then
      lower_top(c.status_after, number_of(rank))
    end
  end
end

-- Who first rated a lesson's task; edits by hand are one voice.
local function voice_of(lesson)
  for _, vote in ipairs(lesson and cjson.decode(lesson).votes or {}) do
    if vote.subject then
      return vote.subject
    end
  end
  return ''
end

-- Forgets the oldest lessons of whoever taught most, then of whoever did after that, until the most are left: so nobody's
-- flood pushes the lessons of others out.
local function forget_loudest()
  local ids = redis.call('ZRANGE', T.lessons_at, 0, -1)
  local voices = {}
  for place, lesson in ipairs(redis.call('HMGET', T.lessons, unpack(ids))) do
    local who = voice_of(lesson)
    voices[who] = voices[who] or {oldest = 1}
    table.insert(voices[who], place)
  end
  local gone = {}
  for i = 1, #ids - MAX_LESSONS do
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
    if redis.call('ZCARD', T.lessons_at) > MAX_LESSONS + LESSONS_MORE then
      forget_loudest()
    end
  end
  if changed == 1 then
    redis.call('HINCRBY', T.learning, 'revision', 1)
  end
end

-- Writes what items say of a task: the mentions that changed, and which items are counted and no more.
local function write_mentions(c)
  local said, others = T.said .. c.id, T.others .. c.id
  in_pieces('HSET', said, c.mentions_written)
  in_pieces('HDEL', said, c.mentions_deleted)
  in_pieces('HSET', others, c.counted_added)
  in_pieces('HDEL', others, c.counted_removed)
end

local function remove(c)
  local chunk, offset = offset_of(c.ordinal)
  redis.call('DEL', T.task .. c.id, T.said .. c.id, T.others .. c.id)
  unlist(c.status_before, c.member)
  set_row('ids', chunk, offset, string.rep('\0', COLUMNS.ids))
  if redis.call('HINCRBY', T.counts, chunk, -1) == 0 then
    forget_columns(chunk)
  end
end

-- Puts tasks under the items that speak of them, and takes them from under those that no longer do.
local function set_items(changes)
  local chunks = {}
  for _, c in ipairs(changes) do
    local chunk, offset = offset_of(c.ordinal)
    local rows = chunks[chunk] or {}
    for _, term in ipairs(c.item_terms_added) do
      chunks[chunk], rows[term] = rows, (rows[term] or '') .. u16(offset)
    end
    take_from(c.ordinal, c.item_terms_removed)
  end
  for chunk, rows in pairs(chunks) do
    for term, row in pairs(rows) do
      -- Hardly an item has so many tasks that its posting is long, and where one is, that shows by itself.
      add_to_posting(chunk, term, 0, row)
    end
  end
end

-- Appends terms that came and went to what postings are still to take: '<ordinal> +<term> -<term> …\n' of each change.
-- Whoever fills another stretch of it sees to that.
local MAX_UNINDEXED_BYTES = 262144
local is_full = 0
local function note_terms(changes)
  local entries = {}
  for _, c in ipairs(changes) do
    if c.terms ~= '' then
      entries[#entries + 1], entries[#entries + 2] = whole(c.ordinal), c.terms
    end
  end
  local text = table.concat(entries)
  if text ~= '' and redis.call('APPEND', T.unindexed, text) % MAX_UNINDEXED_BYTES < #text then
    is_full = 1
  end
end

-- Applies changes that fit. Returns the events that they make.
local function apply(changes)
  local new, events = {}, {}
  for _, c in ipairs(changes) do
    if c.status_before == '' then
      new[#new + 1] = c
    end
    events[#events + 1] = {c.kind, 'data', c.data}
  end
  local next = #new > 0 and redis.call('INCRBY', T.ordinals, #new) - #new
  for i, c in ipairs(new) do
    c.ordinal = next + i - 1
  end
  for _, c in ipairs(changes) do
    c.member = u32(c.ordinal)
    if c.json == '' then
      remove(c)
    else
      redis.call('SET', T.task .. c.id, record_of(c, c.next))
      write_mentions(c)
      if c.status_before ~= '' then
        put_again(c)
      end
    end
    if c.lesson ~= '' then
      teach(c.id, c.lesson)
    end
  end
  put_new(new)
  relink(changes)
  set_items(changes)
  note_terms(changes)
  if redis.call('INCR', T.changed) == 1 then
    redis.call('SET', T.changed, whole(NOW))
  end
  return events
end
