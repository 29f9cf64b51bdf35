import { textRows } from '../report/markdown.ts'
import { rendered } from '../report/markup.ts'
import { type Column, terminalTable } from '../report/table.ts'

/** Symbol by which Jupyter kernels ask a value for its display data, by MIME type. */
const DISPLAY: unique symbol = Symbol.for('Jupyter.display') as never

/** Displays itself in a notebook; as text elsewhere. */
export interface Shown {
  [DISPLAY](): Promise<Readonly<Record<string, unknown>>>
  toString(): string
}

export type ShownCell = string | number | boolean | null | undefined

/** Table with a row per object and a column per key of the first. Numbers have four digits. */
export function showTable(rows: readonly Readonly<Record<string, ShownCell>>[]): Shown {
  const columns = Object.keys(rows[0] ?? {}).map(
    (head): Column<(typeof rows)[number]> => ({
      head,
      left: !rows.some((row) => typeof row[head] === 'number'),
      text: (row) => inWords(row[head]),
    }),
  )
  const text = columns.length > 0 ? terminalTable(rows, columns) : ''
  return {
    async [DISPLAY]() {
      const side = ({ left }: (typeof columns)[number]) => `text-align: ${left ? 'left' : 'right'}`
      const table = (
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th style={side(column)}>{column.head}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {textRows(columns, rows).map((cells) => (
              <tr>
                {cells.map((cell, at) => (
                  <td style={side(columns[at])}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )
      return { 'text/html': rendered(table), 'text/plain': text }
    },
    toString: () => text,
  }
}

/**
 * Vega-Lite chart of rows. `spec` needs a mark and an encoding. Notebooks without Vega-Lite show the SVG. Throws if
 * Vega-Lite rejects the spec or warns about it.
 */
export function chart(
  spec: Readonly<Record<string, unknown>>,
  rows: readonly Readonly<Record<string, ShownCell>>[],
): Shown {
  const whole = {
    $schema: 'https://vega.github.io/schema/vega-lite/v5.json',
    config: { background: 'white', view: { stroke: null } },
    ...spec,
    data: { values: rows },
  }
  return {
    async [DISPLAY]() {
      return {
        'application/vnd.vegalite.v5+json': whole,
        'image/svg+xml': await drawSvg(whole),
        'text/plain': `a chart of ${rows.length} rows`,
      }
    },
    toString: () => `a chart of ${rows.length} rows`,
  }
}

async function drawSvg({ $schema: _, ...spec }: Readonly<Record<string, unknown>>): Promise<string> {
  const { compile } = await import('vega-lite')
  const { parse, View } = await import('vega')
  const { expressionInterpreter } = await import('vega-interpreter')
  const refuse = (...messages: unknown[]) => {
    throw new Error(`Vega-Lite: ${messages.join(' ')}`)
  }
  const logger = { level: () => logger, error: refuse, warn: refuse, info: () => logger, debug: () => logger }
  const { spec: vega } = compile(spec as never, { logger: logger as never })
  const view = new View(parse(vega, undefined, { ast: true }), {
    renderer: 'none',
    expr: expressionInterpreter,
  } as never)
  try {
    return await view.toSVG()
  } finally {
    view.finalize()
  }
}

function inWords(value: ShownCell): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'number' && !Number.isInteger(value)
    ? String(Number(value.toPrecision(4)))
    : String(value)
}
