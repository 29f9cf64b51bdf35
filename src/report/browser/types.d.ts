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
/** A cell a (list, query): places of names, and numbers or places of texts, in turn. */
export interface Said {
  readonly names: readonly string[]
  readonly texts: readonly string[]
  readonly counted: readonly (readonly number[])[]
  readonly noted: readonly (readonly number[])[]
}
/** As `packExplanations` lays them out. */
export interface PackedBreakdown {
  readonly steps: readonly string[]
  readonly cells: readonly (readonly (number | readonly number[])[])[]
}
export interface PackedWalks extends PackedBreakdown {
  readonly ends: readonly (readonly [name: string, text: number])[]
}
/** Arms that routers chose: by router and query, a place in `arms`, or -1. */
export interface Routes {
  readonly routers: readonly string[]
  readonly arms: readonly string[]
  readonly chosen: readonly (readonly number[])[]
}
/** Answers in columns, by query; `values` by measure. */
export interface Answers {
  readonly names: readonly string[]
  readonly query: readonly number[]
  /** -1 without retrieval. */
  readonly trial: readonly number[]
  readonly answerer: readonly string[]
  readonly answer: readonly string[]
  readonly failure: readonly string[]
  readonly values: readonly (readonly (number | null)[])[]
  /** Citations by answer: a number, the place of the passage among the texts or -1, and the text of other passages. */
  readonly cites: readonly (readonly Citation[])[]
  /** Reasons of judges by answer: the place of its name, and a text. */
  readonly reasons: readonly (readonly (readonly [name: number, text: string])[])[]
}
export type Citation = readonly [number: number, place: number, text: string]
export type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array
