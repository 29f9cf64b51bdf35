import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { SEED, WORLDS } from '../../scripts/worlds/worlds.ts'

const root = resolve(import.meta.dirname, '../..')

test.each(Object.entries(WORLDS))('%s: the tracked world is what the generator writes', (name, make) => {
  const world = make(SEED)
  for (const [path, text] of Object.entries(world))
    expect(readFileSync(join(root, 'datasets/systems', name, path), 'utf8'), path).toBe(text)
  const questions = (world['queries.jsonl'] ?? world['questions.jsonl']).trim().split('\n')
  expect(questions.length).toBeGreaterThanOrEqual(100)
  expect(make(SEED + 1)).not.toEqual(world)
})
