import { expect, it } from 'vitest'
import { align, fuse } from '../../../src/ranking/fuse.ts'
import { createMemo } from '../../../src/retrieve/evaluate.ts'
import { questions } from '../../fixtures/passages.ts'
import { temporaryFolder } from '../../temporary.ts'
import { compile, evaluate, prepare, trial } from './prepared.ts'

it('is the fusion of what the trials that it names give, transforms and all, computed once', async () => {
  const cut = { after: [{ name: 'min-score', params: { least: 0.1 } }] }
  const compiled = compile(
    trial('dense', 'naive', {}, cut),
    trial('words', 'bm25'),
    trial('links', 'title-ppr'),
    trial('ranks', 'fuse', { of: ['dense', 'words', 'links'], weights: [1, 2, 3], rrfK: 20 }),
    trial('scores', 'fuse', { of: ['words', 'dense'], fusion: 'combmnz' }),
  )
  const store = await prepare(
    temporaryFolder(),
    compiled.map(({ ranking }) => ranking),
  )
  const [dense, words, links, ranks, scores] = await Promise.all(
    compiled.map(({ ranking }) => evaluate(store, ranking, questions)),
  )
  questions.forEach((_, place) => {
    const lists = [dense[place], words[place], links[place]]
    const weighted = [1, 2, 3].map((weight) => ({ weight }))
    expect({ ...ranks[place] }).toEqual({ ...fuse(align(lists), weighted, { fusion: 'rrf', rrfK: 20 }) })
    const sides = [{ weight: 1 }, { weight: 1 }]
    const how = { fusion: 'combmnz', norm: 'minmax' } as const
    expect({ ...scores[place] }).toEqual({ ...fuse(align([words[place], dense[place]]), sides, how) })
  })
  const memo = createMemo(store, questions, () => 0)
  for (const { ranking } of compiled) await memo.cells(ranking)
  for (const step of ['dense', 'bm25', 'min-score', 'title-walk'])
    expect(memo.computed.get(step), step).toBe(questions.length)
})
