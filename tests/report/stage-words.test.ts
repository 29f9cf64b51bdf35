import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { stageWords } from '../../src/report/stage-words.ts'

const source = resolve(import.meta.dirname, '..', '..', 'src')
const stranger = stageWords('lost by a-step-of-ones-own')

test('each step of the house that can lose a label has a sentence of its own', () => {
  const files = ['retrieve/steps', 'retrieve/transforms'].flatMap((folder) =>
    readdirSync(join(source, folder)).map((file) => join(source, folder, file)),
  )
  // A step that ranks what others found: it yields a ranking and is neither a search nor a choice.
  const losing = files.flatMap((file) =>
    [
      ...readFileSync(file, 'utf8').matchAll(
        /name: '([\w-]+)',\n\s+version: \d+,\n\s+yields: 'ranking',\n(\s+pick)?/g,
      ),
    ]
      .filter(([, , pick]) => pick === undefined)
      .map(([, name]) => name),
  )
  expect(losing).toEqual(expect.arrayContaining(['fuse', 'append', 'cut-dense', 'rank-light', 'diversify']))
  for (const name of losing) expect([name, stageWords(`lost by ${name}`)]).not.toEqual([name, stranger])
})

test('so has each stage that every trial has', () => {
  for (const stage of ['failed', 'not in corpus', 'not in index', 'not in a pool', 'below depth'])
    expect([stage, stageWords(stage)]).not.toEqual([stage, stranger])
})
