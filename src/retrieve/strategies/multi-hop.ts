import { z } from 'zod'
import { chunkColumns } from '../../corpus/corpus.ts'
import { addTo } from '../../maps.ts'
import { promptFiles } from '../../models/prompts/prompt.ts'
import type { Mask } from '../../ranking/mask.ts'
import { append, EMPTY_RANKING, head, rankList, rankMap } from '../../ranking/order.ts'
import { derived } from '../../store/artifact.ts'
import { entityKey } from '../../text/entity-key.ts'
import { ratioFrom } from '../../text/similarity.ts'
import type { Query, Ranking } from '../../types.ts'
import { defineStep, type Expression } from '../step.ts'
import { askedRole, refuseIdleRole, roleParams } from '../steps/asking.ts'
import { noRanking } from '../steps/combine.ts'
import {
  askHopJudge,
  askNextThought,
  type HopDecision,
  hashGroups,
  JUDGES,
  judgeHop,
  readGroups,
} from '../steps/hop-judges.ts'
import { BM25, count, filePath, pool, refuser, share } from '../steps/params.ts'
import { searchHybrid } from '../steps/search.ts'
import { defineStrategy, type Inner } from './index.ts'

/** Letters that are compared of a heading or title; comparing costs the product of the two lengths. */
const LONGEST = 200

interface Heading {
  /** Rows of the chunks below it. */
  readonly rows: readonly number[]
  readonly match: number
}

/**
 * Looks up the heading most similar to `title`, at least `threshold`, the first on a tie. Chunks without a heading have
 * their title.
 */
type LookUpHeading = (title: string, threshold: number) => Heading | undefined

export function headersOf(headings: readonly string[]): LookUpHeading {
  const rows = new Map<string, number[]>()
  headings.forEach((heading, row) => {
    const key = entityKey(heading).slice(0, LONGEST)
    if (key !== '') addTo(rows, key, row)
  })
  return (title, threshold) => {
    const wanted = entityKey(title).slice(0, LONGEST)
    const exact = rows.get(wanted)
    if (exact) return { rows: exact, match: 1 }
    let best: Heading | undefined
    for (const [key, chunks] of wanted === '' ? [] : rows) {
      const match = ratioFrom(Math.max(threshold, Number.MIN_VALUE), wanted, key)
      if (match > (best?.match ?? 0)) best = { rows: chunks, match }
    }
    return best
  }
}

/** Names in `missing`: split at commas, without the apostrophes and quotes that judges put around titles. */
export function hopParts(missing: string): string[] {
  const parts = missing.split(',').map((part) => part.replace(/['’‘"“”`]/gu, '').trim())
  return [...new Set(parts.filter((part) => part !== ''))]
}

type LookedUp = Ranking & { readonly unmatched: readonly string[] }

/** The chunks under the headings that a verdict names, nearly right will do: score = match - 0.01. */
const lookUpHeaders = defineStep({
  name: 'look-up-headers',
  channel: 'graph',
  within: true,
  artifacts: (recipe, _: { readonly threshold: number; readonly limit: number }) => ({
    lookUp: derived('header_index', { chunks: chunkColumns(recipe, 'title', 'section') }, ({ chunks }) =>
      headersOf(chunks.map(({ title, section }) => section.at(-1) ?? title)),
    ),
  }),
  facts: ({ rows }: LookedUp) => ({ counts: { byHeading: rows.length } }),
  run([{ missing }, mask]: [HopDecision, Mask?], { params, artifacts: { lookUp } }): LookedUp {
    const scores = new Map<number, number>()
    const unmatched: string[] = []
    for (const part of hopParts(missing)) {
      const heading = lookUp(part, params.threshold)
      const matching = heading?.rows.filter((row) => mask?.kept[row] !== 0) ?? []
      if (!heading || matching.length === 0) unmatched.push(part)
      else for (const row of matching) scores.set(row, Math.max(scores.get(row) ?? 0, heading.match - 0.01))
    }
    return { ...rankMap(scores, params.limit), unmatched }
  },
})

const lookUpNothing = defineStep<null, [HopDecision], LookedUp>({
  name: 'look-up-nothing',
  run: ([{ missing }]) => ({ ...EMPTY_RANKING, unmatched: missing === '' ? [] : [missing] }),
})

const askUnmatched = defineStep<null, [Query, LookedUp], Query>({
  name: 'ask-unmatched',
  yields: 'query',
  run: ([query, { unmatched }]) => ({ id: query.id, text: unmatched.join(', '), metadata: query.metadata }),
})

const searchUnmatched = defineStep<null, [LookedUp, Ranking, Ranking], Ranking>({
  name: 'search-unmatched',
  yields: 'ranking',
  pick: ({ unmatched }) => (unmatched.length > 0 ? 0 : 1),
})

type Hopped = Ranking & { readonly marks: readonly (readonly [row: number, words: string])[] }

const firstHop = defineStep<{ readonly limit: number }, [Ranking], Hopped>({
  name: 'first-hop',
  yields: 'ranking',
  facts: ({ marks }) => ({ marks }),
  run: ([ranking], { params: { limit } }) => {
    const { rows } = head(ranking, limit)
    return { ...rankList(rows), marks: Array.from(rows, (row) => [row, 'hop 0'] as const) }
  },
})

type Adding = { readonly hop: number; readonly limit: number }

/** The chunks so far, then those of this hop that are new: by heading first, then by search, `limit` in all. */
const addHop = defineStep<Adding, [Ranking, Ranking, Ranking], Hopped>({
  name: 'add-hop',
  yields: 'ranking',
  facts: ({ marks }) => ({ marks, counts: { hops: 1, hopChunks: marks.length } }),
  run: ([sofar, byHeading, searched], { params: { hop, limit } }) => {
    const earlier = new Set(sofar.rows)
    const matches = new Map(Array.from(byHeading.rows, (row, i) => [row, byHeading.scores[i]]))
    const candidates = [...new Set([...byHeading.rows, ...searched.rows])].slice(0, limit)
    const added = candidates.filter((row) => !earlier.has(row))
    const marks = added.map((row) => {
      const score = matches.get(row)
      return [row, score === undefined ? `hop ${hop}` : `hop ${hop}, heading ${score.toFixed(2)}`] as const
    })
    return { ...rankList([...sofar.rows, ...added]), marks }
  },
})

const stopOrHop = defineStep<null, [HopDecision, Ranking, Ranking], Ranking>({
  name: 'stop-or-hop',
  yields: 'ranking',
  pick: ({ canAnswer }) => (canAnswer ? 0 : 1),
})

const afterHops = defineStep<{ readonly depth: number }, [Ranking, Ranking], Ranking>({
  name: 'after-hops',
  yields: 'ranking',
  run: ([hopped, first], { params: { depth } }) => append(hopped, first, depth),
})

const HOLES = ['query', 'passages']

const params = z
  .strictObject({
    of: z
      .string()
      .min(1)
      .optional()
      .describe('the trial for the first search and for names without a matching heading; default: `hybrid`'),
    maxHops: z.int().min(0).max(10).default(1).describe('hops after the first search; 0: only that search'),
    hopChunks: count(5, 'chunks from the first search and from each hop', 100),
    judge: z
      .enum([...JUDGES, 'model', 'ircot'])
      .default('links')
      .describe(
        'missing information: titles and words of the question; with `links` also titles linked to the chunks so far; by a `model`; or the next sentence of its chain of thought, which is searched for (`ircot`)',
      ),
    headers: z
      .boolean()
      .default(true)
      .describe(
        'look up each name from the judge by heading; if false, search for all names as one query, as the seed document does',
      ),
    threshold: share(0.85, 'minimum similarity of a heading'),
    pool: pool(),
    groups: filePath(
      'a YAML or JSON file of groups of related things, for the judge: `group: {members, abilities, aliases}`',
    ),
    filterGroups: z
      .boolean()
      .optional()
      .describe(
        'show the judge only the groups that the question names, or all if it names none; default: true',
      ),
    ...roleParams('judges, with `judge: model` or `ircot`', HOLES),
  })
  .superRefine((params, context) => {
    const refuse = refuser(context)
    const { judge, model } = params
    const asks = judge === 'model' || judge === 'ircot'
    if (asks && model === undefined) refuse('judge', `\`${judge}\` needs a \`model\``)
    if (params.groups !== undefined && judge !== 'model') refuse('groups', 'need `judge: model`')
    if (params.filterGroups !== undefined && params.groups === undefined)
      refuse('filterGroups', 'is for `groups`, and there are none')
    if (model !== undefined && !asks) refuse('model', 'is asked with `judge: model` or `ircot` only')
    refuseIdleRole(params, context)
  })

type Params = z.output<typeof params>

/** Unrolls the hops: each adds the new chunks below those so far; then come the other results of the first search. */
export default defineStrategy({
  name: 'multi-hop',
  summary: 'searches again for information that a judge finds missing, by heading first',
  source: 'seed document 002, Multi-Hop Retrieval',
  params,
  files: (params) => ({
    ...promptFiles(params.groups === undefined ? HOLES : [...HOLES, 'groups'])(params),
    ...hashGroups(params.groups),
  }),
  make: (params) => ({
    retrieve(query, inner) {
      const { maxHops, hopChunks: limit, pool: depth } = params
      const first = searchBy(query, params, inner)
      if (maxHops === 0) return { ranking: first }
      const hopFrom = (sofar: Expression<Ranking>, hop: number): Expression<Ranking> => {
        if (hop > maxHops) return sofar
        const verdict = judged(query, sofar, hop, params)
        const byHeading =
          params.headers && params.judge !== 'ircot'
            ? lookUpHeaders([verdict], { threshold: params.threshold, limit })
            : lookUpNothing([verdict])
        const search = searchBy(askUnmatched([query, byHeading]), params, inner)
        const rest = searchUnmatched([byHeading, search, noRanking([byHeading])])
        const next = addHop([sofar, byHeading, rest], { hop, limit })
        return stopOrHop([verdict, sofar, hopFrom(next, hop + 1)])
      }
      return { ranking: afterHops([hopFrom(firstHop([first], { limit }), 1), first], { depth }) }
    },
  }),
})

function judged(query: Expression<Query>, sofar: Expression<Ranking>, hop: number, params: Params) {
  const { judge, filterGroups: filter = true } = params
  const groups = params.groups === undefined ? undefined : readGroups(params.groups)
  if (judge === 'rules' || judge === 'links') return judgeHop([query, sofar], { hop, judge })
  const prompt = judge === 'ircot' ? 'ircot' : groups ? 'judge-hop-groups' : 'judge-hop'
  const judgeRole = askedRole(params, prompt)
  if (!judgeRole) throw new Error(`${judge} without a model`)
  if (judge === 'ircot') return askNextThought([query, sofar], { ...judgeRole, hop })
  return askHopJudge([query, sofar], { ...judgeRole, hop, ...(groups && { groups, filter }) })
}

function searchBy(query: Expression<Query>, params: Params, inner: Inner): Expression<Ranking> {
  if (params.of !== undefined) return inner(params.of, query).ranking
  return searchHybrid(query, { depth: params.pool, index: BM25 })
}
