/**
 * Lua that remembers in `index` that `key` expires at `expires`, and deletes those that expire first of more than
 * `most`.
 */
export const BOUNDED = `local function bounded(index, key, now, forMs, most)
  redis.call('ZADD', index, now + forMs, key)
  redis.call('ZREMRANGEBYSCORE', index, '-inf', now)
  local beyond = redis.call('ZCARD', index) - most
  if beyond > 0 then
    local oldest = redis.call('ZPOPMIN', index, beyond)
    for i = 1, #oldest, 2 do redis.call('DEL', oldest[i]) end
  end
  if redis.call('PTTL', index) < forMs then redis.call('PEXPIRE', index, forMs) end
end`
