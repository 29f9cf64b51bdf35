/** So long what is in hand may take when a run is asked to stop; then it is dropped, and run again on resuming. */
const GRACE = 3000

/** Aborted a moment after `signal`. */
export function graceAfter(signal: AbortSignal): AbortSignal {
  const late = new AbortController()
  const begin = () => void setTimeout(() => late.abort(), GRACE).unref()
  signal.addEventListener('abort', begin, { once: true })
  return late.signal
}
