export type Cell = string | number | boolean | null | undefined
export type Row = Record<string, Cell>

export interface Meta {
  readonly experiment: string
  readonly primary: string
  readonly measures: readonly string[]
  readonly baseline: number | null
  readonly best: number | null
  /** Representatives of the strategies. */
  readonly chosen: readonly number[]
  readonly grid: readonly { strategy: string; params: readonly string[] }[]
  /** Costs of the trade-offs with the board's column. */
  readonly axes: readonly { readonly name: string; readonly column: number; readonly note: string }[]
  readonly shape: Shape
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
/** Layout of the blocks. */
export interface Shape {
  readonly queries: number
  /** Trials of the matrices' columns. */
  readonly trials: readonly number[]
  /** Trials with lists. */
  readonly lists: readonly number[]
  readonly ranks: number
  readonly labels: number
  readonly stages: readonly string[]
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
/** Counters and notes of steps. */
export interface Counts {
  readonly counts: readonly (readonly [name: string, value: number])[]
  readonly notes: readonly (readonly [name: string, text: string])[]
}
/** Ranks (0: absent) and scores of the first results. */
export interface StepRanks {
  readonly step: string
  readonly ranks: readonly number[]
  readonly scores: readonly number[]
}
/** An end is a name and the index of a text: -1 without one, -2 for an entity. */
export interface Walks {
  readonly ends: readonly (readonly [name: string, text: number])[]
  /** Indexes of ends (-1: the question) and a share or null. */
  readonly cells: readonly (readonly {
    readonly step: string
    readonly links: readonly (readonly [from: number, to: number, share: number | null])[]
  }[])[]
}
export interface Routed {
  readonly router: string
  readonly arm: string
  readonly queries: readonly number[]
}
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
/** Number, index of the text or -1, and text of other passages. */
export type Citation = readonly [number: number, place: number, text: string]
export type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array
