import { expect, test } from 'vitest'
import { boardOf } from '../../src/report/make-board.ts'
import { strategyDefinitions } from '../../src/report/strategy-terms.tsx'
import { textOf } from '../../src/report/words.tsx'
import type { Summary } from '../../src/results/summary.ts'
import { smallSummary } from './small-summary.ts'

test('a strategy says what it does, what its trials vary, and which transforms some of them add', async () => {
  const summary = smallSummary({ trials: ['x', 'y', 'z'].map((name) => ({ name, mean: 0.5 })) })
  const [first, second, third] = summary.trials
  const varied: Summary = {
    ...summary,
    indexes: [
      { name: 'one', prepare: { embedder: 'lsa' }, counts: {} },
      { name: 'two', prepare: { embedder: { recorded: { path: 'v.parquet' } } }, counts: {} },
    ],
    trials: [
      { ...first, strategy: 'hybrid', varied: { alpha: 0.3, embedder: 'lsa' }, variant: 0 },
      {
        ...second,
        strategy: 'hybrid',
        varied: { alpha: 0.6, embedder: 'MiniLM' },
        variant: 1,
        after: [{ rerank: { by: 'embedding' } }],
      },
      { ...third, strategy: 'mine', varied: {}, before: ['theirs', 'rerank'] },
    ],
  }
  const lines = (await strategyDefinitions(boardOf(varied), varied)).map(textOf)
  const [hybrid, mine] = ['hybrid', 'mine'].map((name) => lines.find((line) => line.startsWith(`${name}.`)))
  for (const part of [
    'hybrid. Dense and lexical search, fused.',
    'alpha = 0.3, 0.6 (weight of the dense side',
    'embedder = lsa (latent semantic analysis',
    'MiniLM (a real embedder',
    'rerank in 1 of 2 trials: sorts the first chunks by the scores of a reranker.',
  ])
    expect(hybrid).toContain(part)
  expect(mine).toBe('mine. Custom code. In this experiment:theirs: custom code.rerank: custom code.')
})
