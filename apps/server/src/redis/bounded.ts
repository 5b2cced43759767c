/**
 * Lua that notes in `index` that `key` is kept for a time, and forgets the oldest of what is more than so many or than
 * so many bytes in all. `size` gives the bytes of a key.
 */
export const BOUNDED = `local function bounded(index, key, now, forMs, most, bytes, size)
  redis.call('ZADD', index, now + forMs, key)
  redis.call('ZREMRANGEBYSCORE', index, '-inf', now)
  local total = 0
  for i, kept in ipairs(redis.call('ZREVRANGE', index, 0, -1)) do
    total = total + size(kept)
    if i > most or total > bytes then
      redis.call('DEL', kept)
      redis.call('ZREM', index, kept)
    end
  end
  if redis.call('PTTL', index) < forMs then redis.call('PEXPIRE', index, forMs) end
end`
