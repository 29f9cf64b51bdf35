import type { Verdict } from '../src/statistics/comparison.ts'
import { byChance } from './sentences.ts'

/** The pages docs/evidence/seeds-results.md and docs/evidence/claims.md, made of docs/evidence/systems.json (scripts/systems.ts measures it). */

export const SETS = ['srd52', 'claude-docs-100', 'hotpotqa-train-100', 'musique-train-100'] as const

/** Invented world of each config, in datasets/systems. */
export const WORLD = 'its world'

/** Model folder of each embedder. */
export const EMBEDDERS = { MiniLM: 'all-MiniLM-L6-v2', 'bge-small': 'bge-small-en-v1.5' } as const

export type Embedder = keyof typeof EMBEDDERS
const NAMES = Object.keys(EMBEDDERS) as Embedder[]

/** What was measured. Shares are 0 to 1. */
export interface Systems {
  readonly parts: {
    readonly part: string
    readonly set: string
    readonly embedder: Embedder
    readonly measure: string
    /** The mean without the part. */
    readonly before: number
    readonly difference: number
    /** Limits of the 95 % interval; null if too few questions changed. */
    readonly low: number | null
    readonly high: number | null
    readonly verdict: Verdict
  }[]
  readonly claims: {
    readonly trial: string
    readonly set: string
    readonly embedder: Embedder
    /** Milliseconds. */
    readonly p50: number
    readonly p95: number
    readonly recall: number
    /** A query, the answer left out. */
    readonly dollars: number
  }[]
  readonly grids: {
    readonly param: string
    readonly set: string
    readonly embedder: Embedder
    readonly means: readonly (readonly [value: number, mean: number])[]
  }[]
  /** Chapter routing: shares of queries with gold in the chapters, and of the corpus that is searched. */
  readonly chapters: {
    readonly set: string
    readonly embedder: Embedder
    readonly top: number
    readonly coverage: number
    readonly searched: number
    readonly recall: number
    readonly mrr: number
  }[]
  readonly best: {
    readonly set: string
    readonly embedder: Embedder
    readonly category: string
    readonly n: number
    readonly ranked: (readonly [trial: string, mean: number])[]
  }[]
}

/** A part of a system: two rows of its config that differ by it. `only`: the one set of which it is, beside the world. */
export const PARTS: readonly {
  readonly part: string
  readonly config: string
  readonly now: string
  readonly before: string
  readonly only?: string
}[] = [
  { part: 'IDF (001), terms alone', config: 'traversal', now: 'first system + IDF', before: 'first system' },
  {
    part: 'phrases: pairs of neighbouring tokens (001)',
    config: 'traversal',
    now: 'first system + IDF + pairs',
    before: 'first system + IDF',
  },
  {
    part: 'expansion by names of the corpus (001)',
    config: 'traversal',
    now: 'terms alone',
    before: 'first system + IDF + pairs',
  },
  { part: 'dense search beside terms (001)', config: 'traversal', now: 'traversal', before: 'terms alone' },
  { part: 'only what both paths find (001)', config: 'traversal', now: 'both paths', before: 'traversal' },
  { part: 'keywords as in headings (002)', config: 'rag-service', now: 'rag', before: 'without keywords' },
  { part: 'synonyms (002)', config: 'rag-service', now: 'rag', before: 'without synonyms' },
  { part: 'vectors beside words (002)', config: 'rag-service', now: 'rag', before: 'words alone' },
  { part: 'words beside vectors (002)', config: 'rag-service', now: 'rag', before: 'vectors alone' },
  { part: 'one hop (002)', config: 'rag-service', now: '1 hop', before: 'rag' },
  { part: 'a second hop (002)', config: 'rag-service', now: '2 hops', before: '1 hop' },
  { part: 'hops by headings (002)', config: 'rag-service', now: '1 hop', before: '1 hop without headings' },
  { part: 'graph boost by structure (000)', config: 'rulebook', now: 'rulebook', before: 'without boost' },
  { part: 'the same, boost .2 (000)', config: 'rulebook', now: 'boost of .2', before: 'without boost' },
  {
    part: 'graph boost by entities (000)',
    config: 'rulebook',
    now: 'boost over entities',
    before: 'without boost',
  },
  {
    part: 'the 3 best chapters alone (000)',
    config: 'rulebook',
    now: 'chapters chapter-routing.top=3',
    before: 'without boost',
  },
  {
    part: 'the 8 best chapters alone (000)',
    config: 'rulebook',
    now: 'chapters chapter-routing.top=8',
    before: 'without boost',
  },
  {
    part: '3 chapters, where they stand out (000)',
    config: 'rulebook',
    now: 'chapters where they stand out',
    before: 'without boost',
  },
  {
    part: 'aliases of the game (000)',
    config: 'rulebook',
    now: 'aliases',
    before: 'rulebook',
    only: 'srd52',
  },
  {
    part: 'filter: rule-bearing chunks (000)',
    config: 'rulebook',
    now: 'rules alone',
    before: 'rulebook',
    only: 'srd52',
  },
  {
    part: 'scores on the corpus’ scale (000)',
    config: 'rulebook',
    now: 'scale of the corpus',
    before: 'rulebook',
  },
  { part: 'domain codes (004)', config: 'rag-ing', now: 'rag-ing', before: 'without codes' },
  {
    part: 'domain codes, before any rerank (004)',
    config: 'rag-ing',
    now: 'without rerank',
    before: 'without both',
    only: WORLD,
  },
  { part: 'rerank 20 to 5, by words (004)', config: 'rag-ing', now: 'rag-ing', before: 'without rerank' },
  { part: 'routing by rules (003), to naive', config: 'six-strategies', now: 'router', before: 'naive' },
  {
    part: 'routing by rules (003), to hybrid .6',
    config: 'six-strategies',
    now: 'router',
    before: 'hybrid alpha=0.6',
  },
]

/** What seed document 003 says of its strategies. */
export const CLAIMS = [
  { trial: 'naive', latency: '< 100 ms', dollars: 0.001, best: 'factual lookup' },
  { trial: 'hybrid alpha=0.6', latency: '< 200 ms', dollars: 0.002, best: 'general use' },
  { trial: 'graphrag-local', latency: '< 500 ms', dollars: 0.003, best: 'entity-centred questions' },
  { trial: 'graphrag-global', latency: '2 to 5 s', dollars: 0.05, best: 'summarisation' },
  { trial: 'lightrag entityWeight=0.6', latency: '< 300 ms', dollars: 0.003, best: 'multi-hop questions' },
  { trial: 'hipporag damping=0.85', latency: '< 500 ms', dollars: 0.004, best: 'exploratory questions' },
] as const

const grid = (trial: string, param: string, values: readonly number[]) => ({
  param: `${trial} ${param}`,
  trials: values.map((value) => [value, `${trial} ${param}=${value}`] as const),
})

const ALPHAS = [0, 0.3, 0.5, 0.6, 0.7, 0.8, 1]

/** Params of which seed document 003 names the best value. */
export const CLAIMED_GRIDS = [
  grid('ranks', 'alpha', ALPHAS),
  grid('hybrid', 'alpha', ALPHAS),
  grid('lightrag', 'entityWeight', [0.2, 0.4, 0.6, 0.8, 1]),
  grid('hipporag', 'damping', [0.3, 0.5, 0.7, 0.85, 0.95]),
]

const CLAIMED_VALUES: Readonly<Record<string, string>> = {
  'ranks alpha': '.5 to .7',
  'hybrid alpha': '.5 to .7',
  'lightrag entityWeight': '.6',
  'hipporag damping': '.85',
}

const percent = (share: number) => (100 * share).toFixed(1)
const signed = (share: number) => `${share < 0 ? '−' : '+'}${percent(Math.abs(share))}`
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** Parts of which two embedders disagree, by set. */
function disagreementsOf(turned: readonly { readonly part: string; readonly set: string }[]): string {
  const bySet = SETS.flatMap((set) => {
    const own = turned.filter((one) => one.set === set).map(({ part }) => part)
    return own.length === 0 ? [] : [`${set} (${own.join('; ')})`]
  })
  return bySet.length === 0 ? '' : `By set: ${bySet.join(', ')}.`
}

/** docs/evidence/seeds-results.md */
export function partsPage({ parts, chapters }: Systems): string {
  const of = (part: string, set: string, embedder: Embedder) =>
    parts.find((one) => one.part === part && one.set === set && one.embedder === embedder)
  const verdict = (part: string, embedder: Embedder) => {
    const own = SETS.flatMap((set) => of(part, set, embedder) ?? [])
    return {
      helps: own.filter((row) => row.verdict === 'better').length,
      hurts: own.filter((row) => row.verdict === 'worse').length,
      changes: own.filter(({ low, difference }) => low !== null || difference !== 0).length,
      tried: own.length,
      mean: own.reduce((sum, { difference }) => sum + difference, 0) / own.length,
    }
  }
  const verdicts = PARTS.map(({ part }) => {
    const [first, second] = NAMES.map((embedder) => verdict(part, embedder))
    return { part, both: [first, second], mean: (first.mean + second.mean) / 2 }
  }).filter(({ both: [{ tried }] }) => tried > 0)
  const told = verdicts.filter(({ both }) => both.some(({ helps, hurts }) => helps + hurts > 0))
  const untold = verdicts.filter(
    ({ both }) =>
      both.every(({ helps, hurts }) => helps + hurts === 0) && both.some(({ changes }) => changes > 0),
  )
  const still = verdicts.filter(({ both }) => both.every(({ changes }) => changes === 0))
  const names = (found: typeof verdicts) => found.map(({ part }) => part).join('; ')
  const sets = [...SETS, WORLD]
  const words = (helps: number, hurts: number) =>
    [helps > 0 && `helps on ${helps}`, hurts > 0 && `hurts on ${hurts}`].filter(Boolean).join(', ') ||
    'no set'
  const short = table(
    ['part (document)', ...NAMES.flatMap((embedder) => [embedder, 'mean'])],
    told
      .sort((a, b) => b.mean - a.mean)
      .map(({ part, both }) => [
        part,
        ...both.flatMap(({ helps, hurts, tried, mean }) => [
          `${words(helps, hurts)} of ${tried}`,
          signed(mean),
        ]),
      ]),
  )
  const signOf = (part: string, set: string, embedder: Embedder) => {
    const found = of(part, set, embedder)?.verdict
    return found === 'better' ? 1 : found === 'worse' ? -1 : 0
  }
  const turned = PARTS.flatMap(({ part }) =>
    SETS.flatMap((set) => {
      const [a, b] = NAMES.map((embedder) => signOf(part, set, embedder))
      return a === b ? [] : [{ part, set, opposite: a * b < 0 }]
    }),
  )
  const cell = (part: string, set: string, embedder: Embedder) => {
    const one = of(part, set, embedder)
    if (!one) return '–'
    const { before, difference, low, high } = one
    const effect = difference === 0 && low === null ? '0.0' : signed(difference)
    const interval = low === null || high === null ? '' : ` [${signed(low)}, ${signed(high)}]`
    return `${percent(before)} ${effect}${interval}`
  }
  return `# Which parts of the five systems help

\`npm run systems\` (scripts/systems.ts) runs the five described systems ([configs/systems](../../configs/systems)) with each part switched on and off: on four
real sets, with all-MiniLM-L6-v2 and with bge-small-en-v1.5 (int8). srd52 has 160 questions, every other set 100.

*${WORLD}* is an invented dataset for each config ([datasets/systems](../../datasets/systems), \`npm run worlds\`), with 110 to 151 questions, in
which each part can help and hurt by construction. It shows that a part works; only real sets show its gain.

## In short

The table counts the real sets where a part helps or hurts significantly, and gives the mean difference over the sets, in points.

${short}

The two embedders disagree in ${turned.length} of the ${told.reduce((sum, { both: [{ tried }] }) => sum + tried, 0)} pairs of a part in this table and a set: the effect is significant with one embedder only, or in opposite directions${
    turned.some(({ opposite }) => opposite)
      ? ` (opposite: ${turned
          .filter(({ opposite }) => opposite)
          .map(({ part, set }) => `${part}, ${set}`)
          .join('; ')})`
      : ' (which never happened)'
  }. ${disagreementsOf(turned)}

No significant difference with either embedder: ${names(untold) || 'none'}.

No mean changed: ${names(still) || 'none'}. A dictionary of synonyms or codes that the questions do not use cannot help.
Try these parts with your own dictionary.

## Every part

Each cell has the mean without the part, then the part's effect, in points of the config's primary measure. Differences are paired by question;
brackets hold 95 % intervals (of sign flips, the comparison before the paired bootstrap t). A cell without brackets has too few changed questions for an interval. ${byChance(parts)}

The first four sets are real; the last is invented.

${NAMES.map(
  (embedder) => `### With ${embedder}

${table(
  ['part (document)', 'measure', ...sets],
  PARTS.map(({ part }) => [
    part,
    parts.find((one) => one.part === part)?.measure ?? '',
    ...sets.map((set) => cell(part, set, embedder)),
  ]),
)}`,
).join('\n\n')}

## Coverage of chapter routing

Chapter routing searches only the chapters of the best chunks. A chapter is an outermost heading, or a document without headings. *coverage* is the
share of questions with gold in these chapters (the document's evaluability); *searched* is their share of the corpus.

${table(
  ['set', 'embedder', 'chapters', 'coverage', 'searched', 'recall@5', 'MRR@10'],
  chapters.map(({ set, embedder, top, coverage, searched, recall, mrr }) => [
    set,
    embedder,
    top === 0 ? 'all' : String(top),
    percent(coverage),
    percent(searched),
    percent(recall),
    percent(mrr),
  ]),
)}

The document reports evaluability .39, .59 and .70 with MRR .85, .81 and .79 for 3, 8 and 12 chapters.

## Limits

- srd52 is a rulebook with headings, chunked at them; claude-docs are documentation pages; hotpotqa and musique need two and more
  linked passages each.
- No language model and no cross-encoder ran. The reranker is \`lexical\`, hops are judged by rules, and terms of \`traversal\` come from rules and the
  corpus. Each of them can use a model instead ([language models](../language-models.md), [rerankers](../embedders.md#rerankers)).
- Graphs come from \`rules\` and \`titles\` or \`structure\`, not from a model.
- The documents measured corpora that are not public. 001 reports recall@5, 10 and 30 of 2.8, 8.3 and 13.9 % for its first
  system (6 questions, 28 gold chunks). [Claims](claims.md) compares the claims of 003.
`
}

/** Sentence on the categories whose best strategy changes with the embedder; equal scores are all best. */
function winnersOf(best: Systems['best']): string {
  const pairs = best.flatMap((one) => {
    const other = best.find(
      ({ set, category, embedder }) =>
        set === one.set && category === one.category && embedder !== one.embedder,
    )
    return one.embedder === 'MiniLM' && other ? [{ one, other }] : []
  })
  const firsts = ({ ranked }: Systems['best'][number]) =>
    ranked.filter(([, mean]) => mean === ranked[0][1]).map(([trial]) => trial)
  const changed = pairs.filter(
    ({ one, other }) => !firsts(one).some((trial) => firsts(other).includes(trial)),
  )
  const list = changed.map(
    ({ one, other }) =>
      `${one.set} ${one.category} (\`${one.ranked[0][0]}\` with MiniLM, \`${other.ranked[0][0]}\` with bge-small)`,
  )
  return `The best strategy changes with the embedder in ${changed.length} of ${pairs.length} categories${list.length > 0 ? `: ${list.join(', ')}` : ''}.`
}

/** docs/evidence/claims.md */
export function claimsPage({ claims, grids, best }: Systems): string {
  const of = (trial: string, set: string, embedder: Embedder = 'MiniLM') => {
    const found = claims.find((one) => one.trial === trial && one.set === set && one.embedder === embedder)
    if (!found) throw new Error(`${trial} was not measured on ${set} with ${embedder}`)
    return found
  }
  const milliseconds = (value: number) => (value < 10 ? value.toFixed(1) : value.toFixed(0))
  const gridTables = CLAIMED_GRIDS.map(({ param, trials }) => {
    const rowOf = (set: string, embedder: Embedder) => {
      const { means } = grids.find(
        (one) => one.param === param && one.set === set && one.embedder === embedder,
      ) as Systems['grids'][number]
      const top = Math.max(...means.map(([, mean]) => mean))
      return means.map(([, mean]) => (mean === top ? `**${percent(mean)}**` : percent(mean)))
    }
    const rows = SETS.flatMap((set) => {
      const [first, second] = NAMES.map((embedder) => rowOf(set, embedder))
      if (first.join() === second.join()) return [[set, 'both', ...first]]
      return [
        [set, NAMES[0], ...first],
        [set, NAMES[1], ...second],
      ]
    })
    const head = ['recall@10', 'embedder', ...trials.map(([value]) => String(value))]
    return `\`${param}\`, claimed ${CLAIMED_VALUES[param]}:\n\n${table(head, rows)}`
  })
  return `# Claims compared with measurements

Seed document 003 claims the latency, the cost and the best use of its six strategies. This page compares these claims with measurements.
\`npm run systems\` (scripts/systems.ts) runs [configs/systems/six-strategies.yaml](../../configs/systems/six-strategies.yaml), where each strategy is as the document
describes it, with two exceptions. \`hybrid\` adds scores; the document's fusion of ranks is \`ranks\`, under [best parameters](#best-parameters).
Graph strategies rank chunks by the entities that they find, because the document's own list is full before any chunk. Embedders are all-MiniLM-L6-v2 and bge-small-en-v1.5 (int8). srd52 has 160 questions, every other set 100. Latency and cost
were measured with MiniLM only; bge-small's vectors have the same size.

## Latency

Milliseconds per query, p50 / p95, over 20 queries with 3 repeats. The two cores were busy, so only the order of magnitude is reliable;
[benchmarks](benchmarks.md) are more exact. The measured times include no embedder and no language model, because question vectors were stored.
An embedder such as MiniLM adds about 3 ms on idle cores ([seeds](seeds.md), row 003.6).
The claims include model calls: \`graphrag-global\`'s 2 to 5 s are its six calls, so its row compares nothing.

${table(
  ['', 'claimed', ...SETS],
  CLAIMS.map(({ trial, latency }) => [
    `\`${trial}\``,
    latency,
    ...SETS.map((set) => `${milliseconds(of(trial, set).p50)} / ${milliseconds(of(trial, set).p95)}`),
  ]),
)}

## Cost

Dollars per query, at the document's prices: $3 per million tokens read and $15 per million written. The cost covers the context sent (10 chunks, their
evidence, the question and a prompt) and the model calls of the strategy. No model ran: its calls are counted as if they had been made. The answer is
not included.

${table(
  ['', 'claimed', ...SETS],
  CLAIMS.map(({ trial, dollars }) => [
    `\`${trial}\``,
    String(dollars),
    ...SETS.map((set) => of(trial, set).dollars.toFixed(4)),
  ]),
)}

## Best parameters

The best value of each row is bold. No test compared the values, and with so few questions neighbouring values may differ by chance. Texts of
graphs are embedded by \`lsa\`, so strategies that search only these give the same results with both embedders (*both*).

${gridTables.join('\n\n')}

## Best for

The document claims: ${CLAIMS.map(({ trial, best: claimed }) => `\`${trial.split(' ')[0]}\` for ${claimed}`).join(', ')}.
The first table has recall@10 over all questions of a set, the second the three best strategies of each category with at least 15 questions.
Summarisation and exploration were not measured: no set here has gold passages for them.

${table(
  ['recall@10', ...SETS.flatMap((set) => NAMES.map((embedder) => `${set}, ${embedder}`))],
  CLAIMS.map(({ trial }) => [
    `\`${trial}\``,
    ...SETS.flatMap((set) => NAMES.map((embedder) => percent(of(trial, set, embedder).recall))),
  ]),
)}

${winnersOf(best)}

${table(
  ['set', 'embedder', 'category', 'n', 'best', 'second', 'third'],
  best.map(({ set, embedder, category, n, ranked }) => [
    set,
    embedder,
    category,
    String(n),
    ...ranked.map(([trial, mean]) => `\`${trial}\` ${percent(mean)}`),
  ]),
)}
`
}
