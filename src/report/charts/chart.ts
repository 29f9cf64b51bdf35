import type { ComponentChildren } from 'preact'
import { compile, type TopLevelSpec } from 'vega-lite'
import type { ChartData } from '../browser/types.d.ts'
import { THEME } from './theme.ts'

export type ChartRow = Readonly<Record<string, string | number | boolean | null>>

/** Vega-Lite spec over the table `rows`, with caption, label and key. */
export interface Chart {
  readonly id: string
  readonly spec: ChartSpec
  /** Null if the page's script fills it. */
  readonly rows: readonly ChartRow[] | null
  readonly caption: ComponentChildren
  readonly label: string
  /** Maximum pixels of a value of `x` or `place`. */
  readonly cell?: number
  readonly above?: ComponentChildren
}

/** Spec without data, size and theme. */
export type ChartSpec = Record<string, unknown>

/** Compiled specs by JSON: reports share most of them. */
const compiled = new Map<string, ChartData['vega']>()
const MOST_COMPILED = 256

/** Compiles here, which keeps Vega-Lite's 250 kB out of reports. */
export function compileChart({ spec, rows, cell, label }: Chart): ChartData {
  const vegaLite = {
    data: { name: 'rows' },
    width: 640,
    autosize: { type: 'fit-x', contains: 'padding' },
    ...spec,
  }
  const key = JSON.stringify(vegaLite)
  const vega = compiled.get(key) ?? compileSpec(vegaLite as TopLevelSpec)
  if (compiled.size === MOST_COMPILED) compiled.clear()
  compiled.set(key, vega)
  const names = [...new Set(rows?.flatMap((row) => Object.keys(row)))]
  const columns = rows && Object.fromEntries(names.map((name) => [name, rows.map((row) => short(row[name]))]))
  return { cell: cell ?? null, label, vega, columns }
}

function compileSpec(vegaLite: TopLevelSpec): ChartData['vega'] {
  const logger = { level: () => logger, error: fail, warn: fail, info: () => logger, debug: () => logger }
  return compile(vegaLite, { config: THEME, logger: logger as never }).spec as ChartData['vega']
}

function fail(...messages: unknown[]): void {
  // Vega-Lite warns so for every chart with rows of a given height.
  if (messages.every((message) => String(message).startsWith('Dropping "fit-y"'))) return
  throw new Error(`Vega-Lite: ${messages.join(' ')}`)
}

/** Seven digits halve the bytes. */
function short(value: ChartRow[string] = null) {
  return typeof value === 'number' ? Number(value.toPrecision(7)) : value
}
