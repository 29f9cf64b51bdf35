import { z } from 'zod'
import { textUnits } from '../../../corpus/corpus.ts'
import { denseIndex } from '../../../corpus/dense/dense.ts'
import { communitiesTable } from '../../../corpus/graph/communities/assemble.ts'
import type { Recipe } from '../../../corpus/recipe.ts'
import { BadCompletion, Unasked } from '../../../models/chat/json.ts'
import { together } from '../../../models/completions/chat.ts'
import type { Mask } from '../../../ranking/mask.ts'
import { rankList } from '../../../ranking/rank-list.ts'
import { withoutMarks } from '../../../text/passage-marks.ts'
import type { Query } from '../../../types.ts'
import { defineStep } from '../../step.ts'
import { defineAsking } from '../../steps/asking.ts'
import { type LazyOptions, searchLazily } from './search.ts'
import { relevanceTest } from './test-relevance.ts'

/** Relevant chunks, nearest to the query first, and the number of tests. */
interface Lazy {
  readonly relevant: readonly number[]
  readonly tests: number
}

const inputsOf = (recipe: Recipe) => ({ dense: denseIndex(recipe), communities: communitiesTable(recipe) })

const counts = ({ relevant, tests }: Lazy) => ({ relevanceTests: tests, relevantChunks: relevant.length })

type RuleParams = LazyOptions & { readonly relevance: number }

/** The search with a test by words. */
export const searchByWords = defineStep({
  name: 'lazy-search',
  version: 1,
  artifacts: (recipe, _params: RuleParams) => ({ ...inputsOf(recipe), test: relevanceTest(recipe) }),
  counts,
  runBlock(block: readonly (readonly [Query, Float32Array])[], { params, artifacts }): Lazy[] {
    const { dense, communities, test } = artifacts
    const cosines = dense.scores(block.map(([, vector]) => vector))
    return block.map(([{ text }], at) => {
      const isRelevant = test(text, params.relevance)
      const search = searchLazily(cosines[at], communities, params)
      let tests = 0
      let step = search.next()
      while (!step.done) {
        tests += step.value.length
        step = search.next(step.value.map(isRelevant))
      }
      return { relevant: step.value, tests }
    })
  },
})

type Asked = LazyOptions & { readonly model: string; readonly template: string; readonly seed: number }

const schema = z.strictObject({ relevant: z.boolean() })

interface AskedLazy extends Lazy {
  readonly unread: number
}

/** The search with a model's test, a call for each chunk. A chunk whose completion cannot be read is not relevant. */
export const searchByModel = defineAsking({
  name: 'ask-lazy-search',
  version: 1,
  artifacts: (recipe, _params: Asked) => ({ ...inputsOf(recipe), units: textUnits(recipe) }),
  counts,
  notes: ({ unread }: AskedLazy): Record<string, string> =>
    unread > 0 ? { 'tests that could not be read': String(unread) } : {},
  async ask(
    chat,
    [{ text }, vector]: readonly [Query, Float32Array],
    { params, artifacts: { dense, communities, units } },
  ): Promise<AskedLazy> {
    const { template, seed } = params
    const found = { tests: 0, unread: 0 }
    const isRelevant = async (chunk: number) => {
      const { title, text: body } = units[chunk]
      const values = { query: withoutMarks(text), passage: withoutMarks(`${title}\n${body}`.trim()) }
      try {
        return (await chat.json({ template, values, seed }, schema)).relevant
      } catch (error) {
        if (!(error instanceof BadCompletion) || error instanceof Unasked) throw error
        found.unread++
        return false
      }
    }
    const [cosines] = dense.scores([vector])
    const search = searchLazily(cosines, communities, params)
    let step = search.next()
    while (!step.done) {
      found.tests += step.value.length
      step = search.next(await together(step.value, isRelevant))
    }
    return { relevant: step.value, ...found }
  },
})

/** The relevant chunks as a ranking. */
export const rankRelevant = defineStep<
  null,
  [Lazy, Mask?],
  Record<never, never>,
  ReturnType<typeof rankList>
>({
  name: 'rank-relevant',
  version: 1,
  within: true,
  channel: 'graph',
  yields: 'ranking',
  run: ([{ relevant }, mask]) => rankList(relevant.filter((chunk) => mask?.kept[chunk] !== 0)),
})
