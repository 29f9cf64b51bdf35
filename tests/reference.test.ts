import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { referencePages } from '../scripts/reference/pages.ts'

const file = 'config.schema.json'

test('the tracked JSON schema of configs is the one that `npm run docs` writes', async () => {
  const tracked = join(resolve(import.meta.dirname, '..'), 'docs', 'reference', file)
  expect(readFileSync(tracked, 'utf8'), 'run `npm run docs`').toBe((await referencePages())[file])
})
