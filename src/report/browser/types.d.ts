export type Row = Record<string, string | number | boolean | null | undefined>

export interface Meta {
  readonly experiment: string
  readonly primary: string
  readonly baseline: number | null
  readonly best: number | null
  /** Representatives of the strategies. */
  readonly chosen: readonly number[]
  readonly grid: readonly { strategy: string; params: readonly string[] }[]
  /** Costs of the trade-offs with the board's column. */
  readonly axes: readonly { readonly name: string; readonly column: number; readonly note: string }[]
  readonly shape: Shape
  readonly stageNames: Readonly<Record<string, string>>
  readonly charts: Readonly<Record<string, ChartData>>
}
export interface ChartData {
  readonly cell: number | null
  readonly label: string
  readonly vega: VegaSpec
  /** Values by column, which is half the bytes of rows. */
  readonly columns: Readonly<Record<string, readonly Row[string][]>> | null
}
interface VegaSpec {
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
  readonly title: readonly string[]
  readonly text: readonly string[]
}
/** Result: index of a text, score, 1 for gold, note of a step. */
export type PackedHit = readonly [text: number, score: number, gold: number, mark: string]
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
/** Walk of a step over a graph: starts with shares, then links of shortest paths. */
export interface Walk {
  readonly step: string
  readonly links: readonly WalkedLink[]
}
export interface WalkedLink {
  /** Null for the question. */
  readonly from: WalkedEnd | null
  readonly to: WalkedEnd
  /** Null for a link that is no start. */
  readonly share: number | null
}
export interface WalkedEnd {
  readonly name: string
  /** Index of the text; -1 for a chunk without one, -2 for an entity. */
  readonly text: number
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
export type Numbers = Uint8Array | Uint16Array | Uint32Array
