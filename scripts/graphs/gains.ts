import { readResults } from '../../src/index.ts'
import { type Comparison, compareScores } from '../../src/measures.ts'
import type { Json } from '../../src/types.ts'

/** Gains of strategies over graphs, read from experiments of configs/graphs.yaml. */

/** Arm of `title-ppr`, which starts from `hybrid`; every other strategy starts from `naive`. */
export const ARMS: Readonly<Record<string, string>> = { 'title-ppr': 'hybrid' }
export const armOf = (strategy: string) => ARMS[strategy] ?? 'naive'

interface MeasuredSet {
  readonly dataset: string
  /** Heading, if it is not the name. */
  readonly title?: string
  /** Sentences below the heading. */
  readonly note?: string
}

export const SETS: readonly MeasuredSet[] = [
  { dataset: 'hotpotqa-train-100' },
  { dataset: 'musique-train-100' },
  { dataset: '2wiki-101' },
  { dataset: 'claude-docs-100' },
  {
    dataset: 'srd52',
    note: `A rulebook in Markdown, a chunk for each heading down to level 4, and 160 questions ([datasets/srd52-queries](../../datasets/srd52-queries/README.md)).
The entities of \`structure\` are sections.`,
  },
  { dataset: 'xquad-en', note: 'Questions of one passage each, on which lexical search is nearly perfect.' },
  {
    dataset: 'six-strategies',
    title: 'guilds',
    note: `An invented world of 95 passages of about 30 words ([datasets/systems](../../datasets/systems/README.md)). \`qwen\` is the graph that \`llm-openie\` extracts with
Qwen2.5-Coder-0.5B-Instruct (4 bits, temperature 0): 349 entities and 311 triples in 190 calls, stored in \`graphs/guilds-qwen.jsonl\`. A test repeats \`hipporag\`, \`lightrag\` and \`linearrag\` over it with \`lsa\`.`,
  },
]
export const EMBEDDERS = ['lsa', 'MiniLM', 'bge-small'] as const

export const points = (share: number) => `${share < 0 ? '−' : '+'}${Math.abs(100 * share).toFixed(1)}`
export const percent = (share: number) => (100 * share).toFixed(1)
const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
export const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
export const code = (name: string) => `\`${name}\``

function embedderOf(prepare: Json): string {
  const text = JSON.stringify((prepare as { readonly embedder?: unknown }).embedder)
  return EMBEDDERS.find((name) => text.includes(name)) ?? text
}

/** Scores of each row, `strategy | graph` or an arm's name, by query. */
export interface Measured {
  readonly dataset: string
  readonly embedder: string
  readonly primary: string
  readonly values: Readonly<Record<string, readonly number[]>>
}

export async function readGains(folder: string): Promise<Measured> {
  const { summary, scores, queries } = await readResults(folder)
  const { trials, indexes, primary, dataset } = summary
  const all = scores.get(primary)!
  const size = queries.id.length
  const valuesOf = (trial: number) => Array.from(all.subarray(trial * size, (trial + 1) * size))
  const judged = [...valuesOf(0).keys()].filter((query) => !Number.isNaN(valuesOf(0)[query]))
  const only = (indexes[0].prepare as { readonly graph?: unknown }).graph
  const rows = trials.map(({ strategy, varied }, trial) => {
    const graph = strategy in ARMS ? 'none' : (varied.graph ?? [only].flat().map(nameOf).join('+'))
    const name = strategy === 'naive' || strategy === 'hybrid' ? strategy : `${strategy} | ${graph}`
    return [name, judged.map((query) => valuesOf(trial)[query])] as const
  })
  return {
    ...{ dataset: dataset.name.replace(/^src$/, 'srd52'), primary },
    ...{ embedder: embedderOf(indexes[0].prepare), values: Object.fromEntries(rows) },
  }
}

const nameOf = (choice: unknown) => (typeof choice === 'string' ? choice : Object.keys(choice as object)[0])

/** Experiments of one data set and embedder as one; an arm must have scored alike in each. */
export function merge(found: readonly Measured[]): Measured {
  const values: Record<string, readonly number[]> = {}
  for (const one of found)
    for (const [name, own] of Object.entries(one.values)) {
      if (name in values && values[name].join() !== own.join())
        throw new Error(`${one.dataset} with ${one.embedder}: two experiments have other scores of ${name}`)
      values[name] = own
    }
  return { ...found[0], values }
}

export interface Gain {
  readonly strategy: string
  readonly graph: string
  readonly difference: number
  readonly low: number
  readonly high: number
}

/** Differences of each row as one family: intervals hold together. */
export function familyOf(differences: Readonly<Record<string, readonly number[]>>): Comparison[] {
  const size = Object.values(differences)[0].length
  return compareScores(
    { ...differences, zero: new Array<number>(size).fill(0) },
    { baseline: 'zero', range: { low: -1, high: 1 } },
  )
}

/** Gains on one data set with one embedder, one family. */
export interface GainTable extends Pick<Measured, 'dataset' | 'embedder' | 'primary'> {
  readonly queries: number
  /** Means of the arms. */
  readonly arms: Readonly<Record<string, number>>
  readonly gains: readonly Gain[]
}

/** Gains over the arms as one family; shares with 4 digits. */
export function gainTable({ dataset, embedder, primary, values }: Measured): GainTable {
  const names = Object.keys(values)
  const differences = names
    .filter((name) => name.includes(' | '))
    .map((name) => {
      const arm = values[armOf(name.split(' | ')[0])]
      return [name, values[name].map((value, query) => value - arm[query])] as const
    })
  const meanOf = (own: readonly number[]) => own.reduce((sum, one) => sum + one, 0) / own.length
  const arms = ['naive', 'hybrid'].filter((name) => name in values)
  return {
    ...{ dataset, embedder, primary, queries: values.naive.length },
    arms: Object.fromEntries(arms.map((name) => [name, rounded(meanOf(values[name]))])),
    gains: familyOf(Object.fromEntries(differences)).map(({ name, difference, low, high }) => {
      const [strategy, graph] = name.split(' | ')
      return { strategy, graph, difference: rounded(difference), low: rounded(low), high: rounded(high) }
    }),
  }
}

/** Graphs that every set could have; triples came with one set, and headings are for Markdown. */
const OF_EVERY_SET = ['titles', 'rules', 'rules+titles', 'noun-phrases', 'ner', 'qwen']

/** Missing tables, missing columns by graph, and missing rows of a column that another embedder has. */
export function gapsOf(tables: readonly GainTable[]): string[] {
  const titleOf = ({ dataset, title = dataset }: MeasuredSet) => title
  const ofSet = ({ dataset }: MeasuredSet) => tables.filter((one) => one.dataset === dataset)
  const rowsOf = (own: readonly GainTable[]) => [
    ...new Set(own.flatMap(({ gains }) => gains.map(({ strategy, graph }) => `${strategy} | ${graph}`))),
  ]
  const graphsOf = (own: readonly GainTable[]) => rowsOf(own).map((row) => row.split(' | ')[1])
  const measured = SETS.filter((set) => ofSet(set).length > 0)
  const lacked = SETS.map((set) => ({
    set,
    embedders: EMBEDDERS.filter((name) => !ofSet(set).some(({ embedder }) => embedder === name)),
  }))
  const withoutTable = lacked
    .filter(({ embedders }) => embedders.length > 0)
    .map(({ set, embedders }) => `The tables of ${titleOf(set)} with ${embedders.join(' and ')}`)
  const withoutColumn = OF_EVERY_SET.flatMap((graph) => {
    const sets = measured.filter((set) => !graphsOf(ofSet(set)).includes(graph))
    return sets.length > 0 ? [`The graph ${code(graph)} on ${sets.map(titleOf).join(', ')}`] : []
  })
  const withoutRow = measured.flatMap((set) =>
    ofSet(set).flatMap((own) => {
      const missing = rowsOf(ofSet(set)).filter((row) => !rowsOf([own]).includes(row))
      return [...new Set(missing.map((row) => row.split(' | ')[1]))].map((graph) => {
        const names = missing.filter((row) => row.endsWith(` | ${graph}`)).map((row) => row.split(' | ')[0])
        return `${names.join(', ')} over ${code(graph)} on ${titleOf(set)} with ${own.embedder}`
      })
    }),
  )
  return [...withoutTable, ...withoutColumn, ...withoutRow]
}

const rounded = (share: number) => Math.round(1e4 * share) / 1e4

/** 1 if the interval is above zero, -1 if below, else 0. */
export const signOf = ({ low, high }: Pick<Gain, 'low' | 'high'>) => (low > 0 ? 1 : high < 0 ? -1 : 0)

/** Points with their interval, bold if clear of zero. */
export function gainCell(gain: Pick<Gain, 'difference' | 'low' | 'high'> | undefined): string {
  if (!gain) return ''
  const text = `${points(gain.difference)} [${points(gain.low)}, ${points(gain.high)}]`
  return signOf(gain) === 0 ? text : `**${text}**`
}
