import type { ComponentChildren } from 'preact'
import { compile, type TopLevelSpec } from 'vega-lite'
import { THEME } from './theme.ts'

export type ChartRow = Readonly<Record<string, string | number | boolean | null>>

/** A picture: a Vega-Lite spec over one table called `rows`, with its caption, label and key. */
export interface Chart {
  readonly id: string
  readonly spec: ChartSpec
  /** Data, also saved as CSV; null if the page's script fills it. */
  readonly rows: readonly ChartRow[] | null
  /** Caption with reading instructions and n. */
  readonly caption: ComponentChildren
  /** Accessible description in one sentence. */
  readonly label: string
  /** The most pixels that one value of `x` (or `place`) gets, where few of them should not fill the page. */
  readonly cell?: number
  /** A key of colours, controls: above the picture. */
  readonly above?: ComponentChildren
}

/** A spec without data, size and theme, which all charts share. */
export type ChartSpec = Record<string, unknown>

/** Compiled chart: Vega for drawing, Vega-Lite for download. */
interface CompiledChart {
  readonly cell: number | null
  readonly label: string
  readonly vega: unknown
  readonly vegaLite: unknown
  /** Column by column, which is half the bytes of a list of rows. */
  readonly columns: Readonly<Record<string, readonly (string | number | boolean | null)[]>> | null
}

/** Compiled specs by their JSON: reports of several datasets, or of one process, share most of them. */
const compiled = new Map<string, unknown>()
const MOST_COMPILED = 256

/**
 * Compiles a chart. Compiling here keeps Vega-Lite's 250 KB out of every report and lets tests catch invalid specs.
 */
export function compileChart({ spec, rows, cell, label }: Chart): CompiledChart {
  const vegaLite = {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    data: { name: 'rows' },
    width: 640,
    autosize: { type: 'fit-x', contains: 'padding' },
    ...spec,
  }
  const key = JSON.stringify(vegaLite)
  const vega = compiled.get(key) ?? compileSpec(vegaLite as TopLevelSpec)
  if (compiled.size === MOST_COMPILED) compiled.clear()
  compiled.set(key, vega)
  return { cell: cell ?? null, label, vega, vegaLite, columns: rows && columnsOf(rows) }
}

function compileSpec(vegaLite: TopLevelSpec): unknown {
  const logger = { level: () => logger, error: fail, warn: fail, info: () => logger, debug: () => logger }
  return compile(vegaLite, { config: THEME, logger: logger as never }).spec
}

function fail(...messages: unknown[]): void {
  // It says so of every chart with rows of a given height, though only the width was to fit.
  if (messages.every((message) => String(message).startsWith('Dropping "fit-y"'))) return
  throw new Error(`Vega-Lite: ${messages.join(' ')}`)
}

function columnsOf(rows: readonly ChartRow[]): CompiledChart['columns'] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return Object.fromEntries(names.map((name) => [name, rows.map((row) => rounded(row[name] ?? null))]))
}

/** Seven digits are more than a picture or a spreadsheet shows, and half the bytes. */
function rounded(value: string | number | boolean | null) {
  return typeof value === 'number' ? Number(value.toPrecision(7)) : value
}
