-- Tasks by id, with the time at which something is said of them now.
--
-- ARGV  ids
-- Returns {ms now, {record, mention, …} or nil of each id}
-- Reads only.

return {whole(time_of()), unpack(records_of(take_list()))}
