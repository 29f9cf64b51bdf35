import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, test } from 'vitest'
import { hasTransformers, PACKAGE } from '../src/models/transformers/local-params.ts'

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

/** Declares a suite that runs models in ONNX. Their package is not part of the install: without it the suite is skipped, or fails in CI. */
export function describeModels(name: string, suite: () => void): void {
  if (hasTransformers() || process.env.CI === 'true') describe(name, suite)
  else test.skip(`${name} (skipped: needs ${PACKAGE})`)
}

/** Declares a suite that runs models of the reference data. */
export function describeSharedModels(name: string, suite: () => void): void {
  describeModels(name, () => describeShared(name, suite))
}
