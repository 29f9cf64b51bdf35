import type { ComponentChildren } from 'preact'
import { compile, type TopLevelSpec } from 'vega-lite'
import { THEME } from './theme.ts'

export type ChartRow = Readonly<Record<string, string | number | boolean | null>>

/** Vega-Lite spec over the table `rows`, with caption, label and key. */
export interface Chart {
  readonly id: string
  readonly spec: ChartSpec
  /** Null if the page's script fills it. */
  readonly rows: readonly ChartRow[] | null
  readonly caption: ComponentChildren
  /** Accessible description. */
  readonly label: string
  /** Maximum pixels of a value of `x` or `place`. */
  readonly cell?: number
  readonly above?: ComponentChildren
}

/** Spec without data, size and theme. */
export type ChartSpec = Record<string, unknown>

interface CompiledChart {
  readonly cell: number | null
  readonly label: string
  readonly vega: unknown
  readonly vegaLite: unknown
  /** Values by column, which is half the bytes. */
  readonly columns: Readonly<Record<string, readonly (string | number | boolean | null)[]>> | null
}

/** Compiled specs by JSON: reports share most of them. */
const compiled = new Map<string, unknown>()
const MOST_COMPILED = 256

/** Compiles here, which keeps Vega-Lite's 250 kB out of reports. */
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
  // Vega-Lite warns so for every chart with rows of a given height.
  if (messages.every((message) => String(message).startsWith('Dropping "fit-y"'))) return
  throw new Error(`Vega-Lite: ${messages.join(' ')}`)
}

function columnsOf(rows: readonly ChartRow[]): CompiledChart['columns'] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return Object.fromEntries(names.map((name) => [name, rows.map((row) => rounded(row[name] ?? null))]))
}

/** Seven digits halve the bytes. */
function rounded(value: string | number | boolean | null) {
  return typeof value === 'number' ? Number(value.toPrecision(7)) : value
}
