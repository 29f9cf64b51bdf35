/** One cell of a table or a chart. */
export type Cell = string | number | boolean | null | undefined
export type Row = Record<string, Cell>

export interface Meta {
  readonly experiment: string
  readonly primary: string
  readonly measures: readonly string[]
  readonly baseline: number | null
  readonly best: number | null
  /** Trials that represent the strategies, best first. */
  readonly chosen: readonly number[]
  /** Strategies and params of the grid section, if the page has it. */
  readonly grid: readonly { strategy: string; params: readonly string[] }[]
  /** Costs of the trade-offs: a name, the board's column, a note for the caption. */
  readonly axes: readonly { readonly name: string; readonly column: number; readonly note: string }[]
  readonly shape: Shape
  /** Display names of the stages. */
  readonly stageNames: Readonly<Record<string, string>>
  readonly charts: Record<
    string,
    {
      cell: number | null
      label: string
      vega: VegaSpec
      vegaLite: Record<string, unknown>
      columns: Record<string, readonly Cell[]> | null
    }
  >
}
export interface VegaSpec {
  axes?: { orient?: string; title?: string; scale?: string; labelLimit?: number; [key: string]: unknown }[]
  signals?: { name: string; value?: unknown }[]
  scales?: {
    name: string
    type: string
    domain?: { field?: string; fields?: readonly { field: string }[] }
  }[]
  [key: string]: unknown
}
/** Layout of the data by query. */
export interface Shape {
  readonly queries: number
  /** Places of trials: the columns of the matrices. */
  readonly trials: readonly number[]
  /** Places of the trials with retrieved lists. */
  readonly lists: readonly number[]
  readonly ranks: number
  readonly labels: number
  readonly stages: readonly string[]
  /** Measures with a score of every query. */
  readonly measures: readonly string[]
}
export interface Queries {
  readonly id: readonly string[]
  readonly text: readonly string[]
  readonly category: readonly string[]
  readonly answers: readonly (readonly string[])[]
  readonly answerable: readonly number[]
}
export interface Labels {
  readonly query: readonly number[]
  readonly judged: readonly string[]
  readonly grade: readonly number[]
  readonly text: readonly number[]
}
export interface Texts {
  readonly id: readonly string[]
  readonly judged: readonly string[]
  readonly title: readonly string[]
  readonly text: readonly string[]
  readonly tokens: readonly number[]
}
/** Counters and notes of a trial's steps for a query, by name. */
export interface Counts {
  readonly counts: readonly (readonly [name: string, value: number])[]
  readonly notes: readonly (readonly [name: string, text: string])[]
}
/** Ranks (0: not in the list) and scores of a trial's first results after a step. */
export interface StepRanks {
  readonly step: string
  readonly ranks: readonly number[]
  readonly scores: readonly number[]
}
/** Walks by list and query. An end is a name and the place among the texts: -1 without a text, -2 for an entity. */
export interface Walks {
  readonly ends: readonly (readonly [name: string, text: number])[]
  /** Links are places among the ends, -1 for the question, and a share or null. */
  readonly cells: readonly (readonly {
    readonly step: string
    readonly links: readonly (readonly [from: number, to: number, share: number | null])[]
  }[])[]
}
/** Queries for which a router chose an arm. */
export interface Routed {
  readonly router: string
  readonly arm: string
  readonly queries: readonly number[]
}
/** An answer to a query, with its measures and citations. */
export interface Answer {
  /** -1 without retrieval. */
  readonly trial: number
  readonly answerer: string
  readonly text: string
  readonly failure: string
  readonly values: readonly {
    readonly name: string
    readonly value: number | null
    readonly reason: string
  }[]
  readonly cites: readonly Citation[]
}
/** A number, the place of the passage among the texts or -1, and the text of other passages. */
export type Citation = readonly [number: number, place: number, text: string]
export type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array
