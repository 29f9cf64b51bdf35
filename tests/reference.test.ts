import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { referencePages } from '../src/cli/reference.ts'

const root = resolve(import.meta.dirname, '..')

test('reference pages are what scripts/docs.mjs makes of the code', async () => {
  const made = await referencePages()
  const stale = Object.entries(made).filter(([file, text]) => {
    const path = join(root, 'docs', 'reference', file)
    return !existsSync(path) || readFileSync(path, 'utf8') !== text
  })
  expect(stale.map(([file]) => `${file}: run \`npm run docs\``)).toEqual([])
})
