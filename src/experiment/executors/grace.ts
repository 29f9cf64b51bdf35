/** Milliseconds that work in progress may take after a request to stop; a dropped shard is run again on resuming. */
const GRACE = 3000

/** Signal that is aborted `GRACE` milliseconds after `signal`. */
export function graceAfter(signal: AbortSignal): AbortSignal {
  const late = new AbortController()
  const begin = () => void setTimeout(() => late.abort(), GRACE).unref()
  signal.addEventListener('abort', begin, { once: true })
  return late.signal
}
