import { z } from 'zod'
import { denseIndex } from '../../corpus/dense/dense.ts'
import { neighboursOf } from '../../corpus/graph/csr.ts'
import { entitiesTable, factsTable } from '../../corpus/graph/extraction.ts'
import type { FactTable } from '../../corpus/graph/graph.ts'
import { type HippoGraph, hippoGraph } from '../../corpus/graph/hippo-graph.ts'
import type { Reset } from '../../corpus/graph/pagerank.ts'
import { factIndex } from '../../corpus/graph/vectors.ts'
import { promptFiles } from '../../models/prompts/prompt.ts'
import type { Mask } from '../../ranking/mask.ts'
import { minMaxOrOne } from '../../ranking/normalize.ts'
import { EMPTY_RANKING, head, rankPairs, rankScores } from '../../ranking/order.ts'
import { derived } from '../../store/artifact.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import type { Query, Ranking } from '../../types.ts'
import { defineStep } from '../step.ts'
import { type Asked, askedRole, defineAsking, refuseIdleRole, roleParams } from '../steps/asking.ts'
import { fallbackUnlinked } from '../steps/combine.ts'
import { countLinks } from '../steps/link.ts'
import { count, damping, pool, weight } from '../steps/params.ts'
import { embedGraphQuery, embedQuery, searchDense } from '../steps/search.ts'
import { resetWithPassages, walkEach, walkedPassages } from '../steps/walk.ts'
import { defineStrategy } from './index.ts'

/**
 * Start of HippoRAG 2's walk. Gutiérrez et al., ICML 2025; OSU-NLP-Group/HippoRAG, `graph_search_with_fact_entities`.
 *
 *     fact score      min-max of the cosines over all facts (constant -> 1)
 *     phrase weight   mean over the kept facts of score / passages with the phrase; the `keep` best, ties: the lower key
 *     passage weight  passageWeight x min-max of the cosines over all passages (constant -> 1)
 */

export function phraseWeights(
  facts: Ranking,
  { subjects, objects }: Pick<FactTable, 'subjects' | 'objects'>,
  passagesPerPhrase: Uint32Array,
  keep: number,
): Reset {
  const sums = new Map<number, { weight: number; occurrences: number }>()
  facts.rows.forEach((fact, i) => {
    for (const phrase of [subjects[fact], objects[fact]]) {
      const weight = facts.scores[i] / Math.max(1, passagesPerPhrase[phrase])
      const sum = sums.get(phrase)
      if (sum) {
        sum.weight += weight
        sum.occurrences++
      } else sums.set(phrase, { weight, occurrences: 1 })
    }
  })
  const phrases = [...sums.keys()]
  const weights = [...sums.values()].map(({ weight, occurrences }) => weight / occurrences)
  // Entity rows are in key order and rankPairs prefers the higher row on a tie: rows are counted from the end.
  const end = 0xffffffff
  const best = rankPairs(
    phrases.map((phrase) => end - phrase),
    weights,
    keep,
  )
  return { nodes: best.rows.map((row) => end - row), weights: best.scores }
}

/** Weights of phrases, then of all passages, whose nodes follow those of the phrases. */
export function hippoReset(
  phraseReset: Reset,
  passageScores: ArrayLike<number>,
  passageWeight: number,
  phrases: number,
): Reset {
  return resetWithPassages(phraseReset, minMaxOrOne(passageScores, passageWeight), phrases)
}

/** Numbers of facts. Others are left out, so that the range is for servers that keep a schema. */
const numbersForm = (count: number) =>
  z.strictObject({
    facts: z
      .array(z.number().meta({ type: 'integer', minimum: 1, maximum: count }))
      .meta({ maxItems: count }),
  })

/** HippoRAG 2's recognition memory (section 3.4): a model chooses among the linked facts, by number. */
const filterFacts = defineAsking({
  name: 'filter-facts',
  artifacts: (recipe, _: Asked) => ({ table: factsTable(recipe) }),
  facts: ({ kept }: FilteredFacts) => ({ notes: { 'facts kept': kept.join('; ') } }),
  async ask(chat, [, { rows, scores }]: [Query, Ranking], { artifacts: { table } }): Promise<FilteredFacts> {
    if (rows.length === 0) return { rows, scores, kept: [] }
    // A fact is one line, whatever was extracted.
    const texts = Array.from(rows, (row) => withoutMarks(table.texts[row].replace(/\s+/g, ' ')))
    const facts = texts.map((fact, index) => `${index + 1}. ${fact}`).join('\n')
    const said = await chat.json(numbersForm(rows.length), { facts, count: String(rows.length) })
    const chosen = [...new Set(said.facts)].filter((number) => Number.isInteger(number) && texts[number - 1])
    return {
      rows: Uint32Array.from(chosen, (number) => rows[number - 1]),
      scores: Float64Array.from(chosen, (number) => scores[number - 1]),
      kept: chosen.map((number) => texts[number - 1]),
    }
  },
})

interface FilteredFacts extends Ranking {
  readonly kept: readonly string[]
}

/**
 * The `facts` best facts for a query vector: rows are facts, scores cosines moved to 0..1 by the lowest and the highest
 * cosine over all facts. A zero vector links nothing. Counted as `links`.
 */
const linkFacts = defineStep({
  name: 'link-facts',
  artifacts: (recipe, _: { facts: number }) => ({ index: factIndex(recipe) }),
  facts: countLinks,
  runBlock(block: readonly [Float32Array][], { params, artifacts: { index } }) {
    return index
      .searchWithMin(block.flat(), params.facts)
      .map(({ ranking: { rows, scores }, min }): Ranking => {
        if (rows.length === 0) return { rows, scores }
        return { rows, scores: minMaxOrOne([...scores, min]).slice(0, rows.length) }
      })
  },
})

/** Number of nearest passages; at least half of them must hold a phrase of a fact. */
const NEAREST = 20

const NOT_COVERED = `fewer than half of the ${NEAREST} nearest passages hold a phrase of a fact`

/**
 * The linked facts if half of the nearest passages hold a phrase of one, else none: few facts rank the same passages for
 * every query.
 */
const requireCoverage = defineStep({
  name: 'require-coverage',
  version: 2,
  artifacts: (recipe) => ({
    covered: derived(
      'passages_of_facts',
      { graph: hippoGraph(recipe), table: factsTable(recipe) },
      ({ graph, table }) => passagesOfFacts(graph, table),
    ),
  }),
  run([linked, dense]: [Ranking, Ranking], { artifacts: { covered } }) {
    const { rows } = head(dense, NEAREST)
    return 2 * rows.filter((row) => covered.has(row)).length < rows.length ? EMPTY_RANKING : linked
  },
})

function passagesOfFacts(
  { phrases, walk }: Pick<HippoGraph, 'phrases' | 'walk'>,
  { subjects, objects }: Pick<FactTable, 'subjects' | 'objects'>,
): ReadonlySet<number> {
  const passages = new Set<number>()
  for (const ends of [subjects, objects])
    for (const phrase of new Set(ends))
      for (const node of neighboursOf(walk.csr, phrase)) if (node >= phrases) passages.add(node - phrases)
  return passages
}

const weighPhrases = defineStep({
  name: 'weigh-phrases',
  artifacts: (recipe, _: { phrases: number }) => ({ table: factsTable(recipe), graph: hippoGraph(recipe) }),
  run([facts]: [Ranking], { params, artifacts: { table, graph } }) {
    return phraseWeights(facts, table, graph.passagesPerPhrase, params.phrases)
  },
})

type WalkParams = { readonly damping: number; readonly passageWeight: number; readonly depth: number }

/** The `depth` passages with the highest personalised PageRank of HippoRAG 2; none if no phrase has weight. */
const walkHippo = defineStep({
  name: 'hippo-walk',
  version: 7,
  within: true,
  channel: 'graph',
  artifacts: (recipe, _: WalkParams) => ({ graph: hippoGraph(recipe), dense: denseIndex(recipe) }),
  walked: (recipe) =>
    derived(
      'walked_hippo',
      { graph: hippoGraph(recipe), table: entitiesTable(recipe) },
      ({ graph: { phrases, walk }, table }) => {
        const walked = walkedPassages(walk.csr, phrases, table.names)
        return ([starts]: [Reset]) => walked(starts)
      },
    ),
  runBlock(block: readonly [Reset, Float32Array, Mask?][], { params, artifacts: { graph, dense } }) {
    const { damping, passageWeight, depth } = params
    const { phrases, walk } = graph
    const walked = block.filter(([{ nodes }]) => nodes.length > 0)
    const cosines = dense.scores(walked.map(([, vector]) => vector))
    let next = 0
    const resets = block.map(([weights]) =>
      weights.nodes.length > 0 ? hippoReset(weights, cosines[next++], passageWeight, phrases) : undefined,
    )
    return walkEach(walk, resets, damping, (scores, query) =>
      rankScores(scores.subarray(phrases), depth, { within: block[query][2]?.kept }),
    )
  },
})

const HOLES = ['query', 'facts']

/**
 * HippoRAG 2. Where fewer than half of the nearest passages hold a phrase of a fact, the original's filter, a model,
 * would leave no fact.
 */
export default defineStrategy({
  name: 'hipporag',
  summary:
    'ranks passages by a random walk (personalised PageRank) in a graph of phrases and passages, from phrases that match the query',
  source: 'Gutiérrez et al., ICML 2025; OSU-NLP-Group/HippoRAG',
  params: z
    .strictObject({
      damping: damping(0.5),
      facts: count(5, 'facts linked to the query', 100),
      phrases: count(5, 'phrases of the facts from which the walk starts', 200),
      passageWeight: weight(0.05, 'weight of passages in the start of the walk, by their cosine', 100),
      pool: pool(),
      ...roleParams('selects the helpful facts among the linked ones', HOLES),
    })
    .superRefine(refuseIdleRole),
  files: promptFiles(HOLES),
  make: ({ damping, facts, phrases, passageWeight, pool: depth, ...role }) => ({
    retrieve(query) {
      const vector = embedQuery([query])
      const dense = searchDense([vector], { depth })
      const linked = linkFacts([embedGraphQuery(query)], { facts })
      const covered = requireCoverage([linked, dense])
      const filterRole = askedRole(role, 'filter-facts')
      const keptFacts = filterRole ? filterFacts([query, covered], filterRole) : linked
      const reset = weighPhrases([keptFacts], { phrases })
      const walked = walkHippo([reset, vector], { damping, passageWeight, depth })
      const helped = filterRole
        ? fallbackUnlinked(keptFacts, walked, dense, 'the model kept none of the facts')
        : walked
      const ranking = fallbackUnlinked(covered, helped, dense, NOT_COVERED)
      return { ranking: fallbackUnlinked(linked, ranking, dense, 'nothing is linked') }
    },
  }),
})
