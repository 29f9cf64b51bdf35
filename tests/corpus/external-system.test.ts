import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { externalSystem } from '../../src/corpus/external-system.ts'
import type { Artifact } from '../../src/store/artifact.ts'
import { openStore } from '../../src/store/store.ts'
import { temporaryFolder } from '../temporary.ts'
import { documentsOf, recipeOf } from './recipes.ts'

test('another system reads a line a chunk, however long the corpus is', async () => {
  // Two long chunks fill the first block that is written.
  const texts = ['Salt. '.repeat(90_000), 'Ships. '.repeat(90_000), 'Glass "and" clocks.\nHoney.', '']
  const { inputs } = externalSystem(recipeOf(documentsOf(texts, 'Lomm')), {
    ...{ command: [process.execPath], timeout: 1, startTimeout: 1 },
  })
  const store = openStore(temporaryFolder())
  const lines = inputs.lines as Artifact<string>
  await store.prepare(lines)
  const written = readFileSync(await store.open(lines), 'utf8').split('\n')
  expect(written.pop()).toBe('')
  expect(written.map((line) => JSON.parse(line))).toEqual(
    texts.map((text, row) => ({ id: `d0${row}`, document: `d0${row}`, title: 'Lomm', text })),
  )
})

test('it is known by what its files hold, wherever they are, and by its times', () => {
  const recipe = recipeOf(documentsOf(['Salt.']))
  const keyOf = (content: string, more = {}) => {
    const script = join(temporaryFolder({ 'system.mjs': content }), 'system.mjs')
    const command = [process.execPath, script, 'fast']
    return externalSystem(recipe, { command, timeout: 1, startTimeout: 2, ...more })
  }
  const { key, params } = keyOf('a')
  expect(params).toMatchObject({ command: ['node', 'system.mjs', 'fast'], timeout: 1, startTimeout: 2 })
  expect(keyOf('a').key).toBe(key)
  const others = [keyOf('b'), keyOf('a', { timeout: 2 }), keyOf('a', { startTimeout: 1 })]
  expect(new Set([key, ...others.map((other) => other.key)]).size).toBe(4)
})
