import { z } from 'zod'
import { textUnits } from '../../corpus/corpus.ts'
import { denseIndex } from '../../corpus/dense/dense.ts'
import { communitiesTable } from '../../corpus/graph/communities/assemble.ts'
import { membersOf } from '../../corpus/graph/csr.ts'
import type { Communities } from '../../corpus/graph/graph.ts'
import { analyzer, termCounts } from '../../corpus/lexical/term-counts.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import { together } from '../../models/completions/chat.ts'
import { promptFiles } from '../../models/prompts/prompt.ts'
import type { Mask } from '../../ranking/mask.ts'
import { rankList } from '../../ranking/order.ts'
import { derived } from '../../store/artifact.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import { sentences } from '../../text/sentences.ts'
import type { Query, Ranking } from '../../types.ts'
import { defineStep } from '../step.ts'
import { type Asked, askedRole, defineAsking, refuseIdleRole, roleParams } from '../steps/asking.ts'
import { appendRanking, fallbackUnlinked } from '../steps/combine.ts'
import { count, pool, share } from '../steps/params.ts'
import { embedQuery, searchDense } from '../steps/search.ts'
import { defineStrategy } from './index.ts'

/**
 * LazyGraphRAG's search (docs/definitions.md). A community without children stands for its child: its next chunks are
 * tested.
 */
export type LazyOptions = {
  readonly budget: number
  readonly perCommunity: number
  readonly patience: number
}

/** Yields chunks to test, receives the answers, and ends with the relevant ones, nearest to the query first. */
export function* searchLazily(
  cosines: ArrayLike<number>,
  { parents, children, chunks }: Pick<Communities, 'parents' | 'children' | 'chunks'>,
  { budget, perCommunity, patience }: LazyOptions,
): Generator<readonly number[], number[], readonly boolean[]> {
  const rankOf = ranksOf(cosines)
  const nearest = (community: number) =>
    [...membersOf(chunks, community)].sort((a, b) => rankOf[a] - rankOf[b])
  const tested = new Set<number>()
  const relevant: number[] = []
  let open = [...parents.keys()].filter((community) => parents[community] < 0)
  while (open.length > 0) {
    const ranked = open.flatMap((community) => {
      const members = nearest(community)
      if (members.length === 0) return []
      const best = members.slice(0, perCommunity)
      const rank = best.reduce((sum, chunk) => sum + rankOf[chunk], 0) / best.length
      return [{ community, members, rank }]
    })
    ranked.sort((a, b) => a.rank - b.rank || a.community - b.community)
    const next: number[] = []
    let misses = 0
    for (const { community, members } of ranked) {
      const untested = members.filter((chunk) => !tested.has(chunk))
      const batch = untested.slice(0, Math.min(perCommunity, budget - tested.size))
      if (batch.length === 0) continue
      const answers = yield batch
      for (const chunk of batch) tested.add(chunk)
      const passed = batch.filter((_, at) => answers[at])
      relevant.push(...passed)
      misses = passed.length > 0 ? 0 : misses + 1
      if (passed.length > 0)
        next.push(...(children[community].length > 0 ? children[community] : [community]))
      if (misses === patience) break
    }
    open = next
  }
  return relevant.sort((a, b) => rankOf[a] - rankOf[b])
}

/** Rank of each chunk by its cosine, from 0; equal ones by row. */
function ranksOf(cosines: ArrayLike<number>): Uint32Array {
  const order = Array.from(cosines, (_, row) => row).sort((a, b) => cosines[b] - cosines[a])
  const ranks = new Uint32Array(order.length)
  order.forEach((row, rank) => {
    ranks[row] = rank
  })
  return ranks
}

type RelevanceTest = (query: string, threshold: number) => (chunk: number) => boolean

/**
 * Test of relevance by sentences, in place of a model: a sentence needs at least `threshold` of the weight of the
 * query's content words. A word weighs ln(1 + chunks / chunks with the word), an unknown word nothing.
 */
function relevanceTest(recipe: Recipe) {
  const inputs = { units: textUnits(recipe), counts: termCounts(recipe), analyze: analyzer(recipe) }
  return derived('relevance_test', inputs, ({ units, counts, analyze }): RelevanceTest => {
    const numbers = new Map(counts.terms.map((term, number) => [term, number]))
    const weightOf = (term: string) => {
      const number = numbers.get(term)
      if (number === undefined) return 0
      return Math.log(1 + counts.lengths.length / (counts.offsets[number + 1] - counts.offsets[number]))
    }
    return (query, threshold) => {
      const weights = new Map([...new Set(analyze(query))].map((term) => [term, weightOf(term)]))
      const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
      return (chunk) => {
        const { title, text } = units[chunk]
        const heading = analyze(title)
        return sentences(text).some(({ start, end }) => {
          const words = new Set([...heading, ...analyze(text.slice(start, end))])
          let sum = 0
          for (const word of words) sum += weights.get(word) ?? 0
          return sum > 0 && sum >= threshold * total
        })
      }
    }
  })
}

interface Lazy {
  readonly relevant: readonly number[]
  readonly tests: number
}

const searched = (recipe: Recipe) => ({ dense: denseIndex(recipe), communities: communitiesTable(recipe) })

const facts = ({ relevant, tests }: Lazy) => ({
  counts: { relevanceTests: tests, relevantChunks: relevant.length },
})

export const searchByWords = defineStep({
  name: 'lazy-search',
  artifacts: (recipe, _: LazyOptions & { readonly relevance: number }) => ({
    ...searched(recipe),
    test: relevanceTest(recipe),
  }),
  facts,
  runBlock(block: readonly [Query, Float32Array][], { params, artifacts }): Lazy[] {
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

const VERDICT = z.strictObject({ relevant: z.boolean() })

/** The search with a model's test, a call for each chunk. A chunk whose completion cannot be read is not relevant. */
const searchByModel = defineAsking({
  name: 'ask-lazy-search',
  artifacts: (recipe, _: LazyOptions & Asked) => ({ ...searched(recipe), units: textUnits(recipe) }),
  facts,
  unread: 'tests that could not be read',
  async ask(
    chat,
    [, vector]: [Query, Float32Array],
    { params, artifacts: { dense, communities, units } },
  ): Promise<Lazy> {
    const isRelevant = async (chunk: number) => {
      const { title, text } = units[chunk]
      const said = await chat.jsonOrNull(VERDICT, { passage: withoutMarks(`${title}\n${text}`.trim()) })
      return said?.relevant ?? false
    }
    const [cosines] = dense.scores([vector])
    const search = searchLazily(cosines, communities, params)
    let tests = 0
    let step = search.next()
    while (!step.done) {
      tests += step.value.length
      step = search.next(await together(step.value, isRelevant))
    }
    return { relevant: step.value, tests }
  },
})

export const rankRelevant = defineStep<null, [Lazy, Mask?], Ranking>({
  name: 'rank-relevant',
  within: true,
  channel: 'graph',
  run: ([{ relevant }, mask]) => rankList(relevant.filter((chunk) => mask?.kept[chunk] !== 0)),
})

const HOLES = ['query', 'passage']

const params = z
  .strictObject({
    budget: count(100, 'maximum relevance tests per query; 100, 500 and 1,500 in the publication', 10_000),
    perCommunity: count(5, 'chunks of a community tested before the next community'),
    patience: count(3, 'communities in a row without a relevant chunk before the search goes deeper'),
    relevance: share(
      0.5,
      "minimum share of the weight of the query's words in a sentence of a relevant chunk; without `model`",
    ),
    pool: pool(),
    ...roleParams('tests the relevance of chunks, one call each, in place of a rule', HOLES),
  })
  .superRefine(refuseIdleRole)

export default defineStrategy({
  name: 'lazy-graphrag',
  summary:
    'searches groups of related entities (communities), the best first, and tests their chunks for relevance within a budget',
  source: 'Edge et al., LazyGraphRAG, Microsoft Research, 2024',
  params,
  files: promptFiles(HOLES),
  make: (params) => ({
    retrieve(query) {
      const { budget, perCommunity, patience, relevance, pool: depth } = params
      const options = { budget, perCommunity, patience }
      const vector = embedQuery([query])
      const testRole = askedRole(params, 'test-relevance')
      const search = testRole
        ? searchByModel([query, vector], { ...testRole, ...options })
        : searchByWords([query, vector], { ...options, relevance })
      const relevant = rankRelevant([search])
      const dense = searchDense([vector], { depth })
      const ranking = appendRanking([relevant, dense], { depth })
      return { ranking: fallbackUnlinked(relevant, ranking, dense, 'no chunk is relevant') }
    },
  }),
})
