import { afterAll, afterEach, beforeEach } from 'vitest'

/** A warning that no test expected fails the test in which it appears. */
const seen: string[] = []
const record = (warning: unknown) =>
  seen.push(warning instanceof Error ? `${warning.name}: ${warning.message}` : String(warning))

process.on('warning', record)
const { warn } = console
console.warn = (...words) => {
  record(words.join(' '))
  warn(...words)
}

beforeEach(() => {
  seen.length = 0
})

afterEach(() => {
  if (seen.length > 0) throw new Error(`unexpected warnings:\n${seen.join('\n')}`)
})

// Files may share a process.
afterAll(() => {
  process.off('warning', record)
  console.warn = warn
})
