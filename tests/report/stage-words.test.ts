import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { stageWords } from '../../src/report/stage-words.ts'

const source = resolve(import.meta.dirname, '..', '..', 'src')
const stranger = stageWords('lost by a-step-of-ones-own')

test('each built-in step that can lose a label has an explanation', () => {
  const files = readdirSync(join(source, 'retrieve'), { recursive: true })
    .map((file) => join(source, 'retrieve', String(file)))
    .filter((file) => file.endsWith('.ts'))
  // A step that ranks what others found: it yields a ranking and is neither a search nor a choice.
  const losing = files.flatMap((file) =>
    [
      ...readFileSync(file, 'utf8').matchAll(
        /name: '([\w-]+)',\n(?:\s+version: \d+,\n)?\s+yields: 'ranking',\n(\s+pick)?/g,
      ),
    ]
      .filter(([, , pick]) => pick === undefined)
      .map(([, name]) => name),
  )
  expect(losing).toEqual(expect.arrayContaining(['fuse', 'append', 'cut-dense', 'rank-light', 'diversify']))
  for (const name of losing) expect([name, stageWords(`lost by ${name}`)]).not.toEqual([name, stranger])
})

test('each stage that every trial has has an explanation', () => {
  for (const stage of ['failed', 'not in corpus', 'not in index', 'not in a pool', 'below depth'])
    expect([stage, stageWords(stage)]).not.toEqual([stage, stranger])
})
