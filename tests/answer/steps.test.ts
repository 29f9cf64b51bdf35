import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { answerers } from '../../src/answer/answerers/index.ts'
import { answerSteps, openAnswerer } from '../../src/answer/steps.ts'
import { createMemo } from '../../src/retrieve/evaluate.ts'
import { sourceQuery } from '../../src/retrieve/step.ts'
import { documentsOf, recipeOf } from '../corpus/recipes.ts'
import { prepare, retrieved } from '../retrieve/strategies/prepared.ts'
import { temporaryFolder } from '../temporary.ts'

test('recorded answers are read once, also for a block with a question that has none', async () => {
  await answerers.load()
  const folder = temporaryFolder({
    'answers.jsonl': ['a', 'c']
      .map((query) => JSON.stringify({ query, answer: query.toUpperCase(), contexts: ['one'] }))
      .join('\n'),
  })
  const path = join(folder, 'answers.jsonl')
  const trial = retrieved('bm25', {}, sourceQuery(recipeOf(documentsOf(['one', 'two']))))
  const { context, answer } = answerSteps(openAnswerer({ name: 'recorded', params: { path } }), trial, 5)
  rmSync(path)
  const queries = ['a', 'b', 'c'].map((text) => ({ id: text, text, metadata: {} }))
  const memo = createMemo(await prepare(temporaryFolder(), [context, answer]), queries, () => 0)
  expect(await memo.cells(context)).toMatchObject(
    [['one'], [], ['one']].map((texts) => ({ value: { passages: texts.map((text) => ({ text })) } })),
  )
  expect(await memo.cells(answer)).toMatchObject([
    { value: { value: 'A' } },
    { failure: { message: 'answers.jsonl holds no answer to this question' } },
    { value: { value: 'C' } },
  ])
})
