import { readFileSync } from 'node:fs'

/** The package's version, as package.json says. */
export function version(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version
}
