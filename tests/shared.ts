import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, test } from 'vitest'

/** Reference data that is not part of the repository: data sets, conformance vectors, models. */
const root = join(dirname(fileURLToPath(import.meta.url)), '..')
export const SHARED = process.env.TOUCHSTONE_SHARED ?? resolve(root, '../shared')

/** A path below the reference data. */
export function shared(...parts: string[]): string {
  return join(SHARED, ...parts)
}

/**
 * Declares a suite that needs the reference data. Without the data the suite is skipped, and its body does not run: it may
 * open files. In CI missing data is a failure, so that nothing is skipped unseen.
 */
export function describeShared(name: string, suite: () => void): void {
  if (existsSync(SHARED)) describe(name, suite)
  else if (process.env.CI === 'true')
    test(name, () => {
      throw new Error('TOUCHSTONE_SHARED does not name a folder, and CI must not skip what needs it')
    })
  else test.skip(`${name} (skipped: set TOUCHSTONE_SHARED to the reference data)`)
}
