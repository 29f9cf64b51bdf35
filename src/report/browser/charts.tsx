import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { parse, type Spec, View, Warn } from 'vega'
import { expressionInterpreter } from 'vega-interpreter'
import { csvTable } from '../../text/csv.ts'
import { meta } from './data.ts'
import { fileName, save } from './files.ts'
import type { Row, VegaSpec } from './types.d.ts'

/** Width in pixels below which labels get less space. */
const NARROW = 560
/** Promises of charts and their data. */
const drawing = new Set<Promise<unknown>>()

export function whileDrawing(work: Promise<unknown>): void {
  drawing.add(work)
  work.finally(() => drawing.delete(work))
}

export async function drawnAll(): Promise<void> {
  do {
    await Promise.all(drawing)
    // Components draw again after what they waited for.
    await new Promise((done) => setTimeout(done))
  } while (drawing.size > 0)
}

/** Attributes of a chart whose marks are walked by keys. */
const WALKED = { role: 'application', tabIndex: 0, 'aria-description': 'Arrow keys read the marks.' } as const

interface ChartProps {
  readonly id: string
  readonly rows: readonly Row[]
  readonly titles?: { readonly x: string; readonly y: string }
  readonly onClick?: (row: Row) => void
}

/**
 * A chart with downloads. Marks show their figures on hover and by arrow keys. Vega interprets expressions, as the
 * page's policy demands.
 */
export function Chart({ id, rows, titles, onClick }: ChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const tipBox = useRef<HTMLDivElement>(null)
  const view = useRef<View | null>(null)
  const marked = useRef<SVGElement | null>(null)
  const room = useSignal(0)
  const hasMarks = useSignal(false)
  const tip = useSignal<{ text: string; left: number; top: number } | null>(null)
  useLayoutEffect(() => {
    // A hidden view gets the page's width.
    const measure = () => {
      room.value =
        box.current?.clientWidth || room.value || document.getElementById('main')?.clientWidth || 640
    }
    measure()
    const observer = new ResizeObserver(measure)
    if (box.current) observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  const width = widthOf(id, room.value, rows)
  const narrow = room.value < NARROW
  const crowded = isCrowded(id, width, rows)
  const show = (text: string, at: DOMRect) => {
    const figureBox = box.current?.closest('figure')?.getBoundingClientRect() ?? at
    tip.value = { text, left: at.right - figureBox.left + 8, top: at.bottom - figureBox.top + 8 }
  }
  const mark = (next: SVGElement | null) => {
    marked.current?.classList.remove('focused')
    next?.classList.add('focused')
    marked.current = next
    if (!next) tip.value = null
  }
  useLayoutEffect(() => {
    const container = box.current
    if (!container || room.value === 0 || rows.length === 0) return
    const spec = fitted(meta.charts[id].vega, titles, crowded, narrow ? rows : [])
    const runtime = parse(spec as Spec, undefined, { ast: true })
    const made = new View(runtime, {
      expr: expressionInterpreter,
      renderer: 'svg',
      hover: false,
      container,
      logLevel: Warn,
    } as never)
    made.tooltip((_, event, item, value) => {
      if (marked.current) return
      if (!item || value === null || value === undefined) tip.value = null
      else show(tipText(value), new DOMRect(event.clientX, event.clientY, 0, 0))
    })
    // Vega adds its own marks to the rows it is given.
    made.data(
      'rows',
      rows.map((row) => ({ ...row })),
    )
    made.width(width)
    if (onClick) made.addEventListener('click', (_, item) => item?.datum && onClick(item.datum as Row))
    whileDrawing(
      made.runAsync().then(() => {
        // The label says what the picture shows.
        container.querySelector('svg')?.setAttribute('aria-hidden', 'true')
        hasMarks.value = marksOf(container).length > 0
      }),
    )
    view.current = made
    return () => {
      mark(null)
      made.finalize()
      container.replaceChildren()
    }
  }, [rows, narrow, crowded, room.value > 0])
  useEffect(() => {
    view.current?.width(width).runAsync()
  }, [width])
  useLayoutEffect(() => {
    const tooltip = tipBox.current
    if (!tooltip || !tip.value) return
    const most = (tooltip.closest('figure')?.clientWidth ?? 0) - tooltip.offsetWidth
    tooltip.style.left = `${Math.max(0, Math.min(tip.value.left, most))}px`
    tooltip.style.top = `${tip.value.top}px`
  }, [tip.value])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return mark(null)
    if (event.key === 'Enter') marked.current?.dispatchEvent(new MouseEvent('click', { bubbles: true }))
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    const marks = box.current ? marksOf(box.current) : []
    if (step === undefined || marks.length === 0) return
    event.preventDefault()
    const at = marks.findIndex(({ path }) => path === marked.current)
    const next = marks[at < 0 ? 0 : Math.min(marks.length - 1, Math.max(0, at + step))]
    mark(next.path)
    show(tipText(next.tooltip), next.path.getBoundingClientRect())
  }
  const name = fileName(meta.experiment, id)
  const svg = () => svgText(box.current?.querySelector('svg'))
  return (
    <>
      <div
        class="plot"
        data-chart={id}
        ref={box}
        {...(hasMarks.value ? { ...WALKED, onKeyDown, onBlur: () => mark(null) } : { role: 'img' })}
        {...{ 'aria-label': meta.charts[id].label }}
      />
      <div class="tip" role="status" ref={tipBox}>
        {tip.value?.text}
      </div>
      <p class="tools">
        <button type="button" data-csv-of-chart={id} onClick={() => save(`${name}.csv`, csvOf(rows))}>
          Data (CSV)
        </button>
        <button
          type="button"
          data-picture-of-chart={id}
          onClick={() => save(`${name}.svg`, svg(), 'image/svg+xml')}
        >
          SVG
        </button>
      </p>
    </>
  )
}

export function rowsOf(id: string): Row[] {
  const columns = meta.charts[id].columns ?? {}
  const names = Object.keys(columns)
  const [first = []] = Object.values(columns)
  return first.map((_, place) => Object.fromEntries(names.map((name) => [name, columns[name][place]])))
}

/** Width in pixels; few cells do not fill the space. */
function widthOf(id: string, room: number, rows: readonly Row[]): number {
  const { cell } = meta.charts[id]
  if (!cell || rows.length === 0) return room
  const [across, labels] = 'place' in rows[0] ? ['place', 60] : ['x', 200]
  return Math.min(room, labels + cell * new Set(rows.map((row) => row[across])).size)
}

function isCrowded(id: string, width: number, rows: readonly Row[]): boolean {
  if (!meta.charts[id].cell || !rows.some((row) => 'x' in row)) return false
  const heads = [...new Set(rows.map(({ x }) => String(x)))]
  return (width - 130) / heads.length < 6.2 * heads.reduce((most, { length }) => Math.max(most, length), 0)
}

/** Fills in titles. Names at the side are wrapped if `wrapped` rows are given. */
function fitted(
  spec: VegaSpec,
  titles: ChartProps['titles'],
  crowded: boolean,
  wrapped: readonly Row[],
): VegaSpec {
  const copy = structuredClone(spec)
  for (const axis of copy.axes ?? []) {
    const side = axis.orient === 'left' || axis.orient === 'right'
    if (titles && axis.title !== undefined) axis.title = side ? titles.y : titles.x
    const field = side && wrapped.length > 0 && namesOn(copy, axis.scale)
    if (field) {
      const lines = Object.fromEntries(
        wrapped.map(({ [field]: name }): [string, string[]] => [String(name), linesOf(String(name))]),
      )
      const most = Math.max(...Object.values(lines).map(({ length }) => length))
      for (const signal of copy.signals ?? [])
        if (signal.name === `${axis.scale}_step`)
          signal.value = Math.max(Number(signal.value), LABEL.line * most + 4)
      copy.signals = [...(copy.signals ?? []), { name: 'lines', value: lines }]
      axis.labelLimit = LABEL.width
      const label = 'lines[datum.label]'
      const update = {
        text: { signal: label },
        lineHeight: { value: LABEL.line },
        dy: { signal: `${-LABEL.line / 2} * (length(${label}) - 1)` },
      }
      axis.encode = { labels: { update } }
    }
    if (axis.orient === 'top' && crowded)
      Object.assign(axis, {
        labelAngle: -55,
        labelAlign: 'left',
        labelBaseline: 'middle',
        labelOverlap: false,
        labelLimit: 90,
      })
  }
  return copy
}

/** Size of a name at the side: pixels, letters per line, pixels per line. */
const LABEL = { width: 112, letters: 18, line: 12 }

function namesOn({ scales = [] }: VegaSpec, name: string | undefined): string | undefined {
  const scale = scales.find((candidate) => candidate.name === name)
  return scale?.type === 'band' ? (scale.domain?.field ?? scale.domain?.fields?.[0]?.field) : undefined
}

function linesOf(name: string): string[] {
  const lines: string[] = []
  for (const word of name.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`
    if (lines.length === 0 || longer.length > LABEL.letters) lines.push(word)
    else lines[lines.length - 1] = longer
  }
  return lines
}

/** Marks with a tooltip, from left to right. Vega binds each to its element. */
function marksOf(box: HTMLElement): { path: SVGElement; tooltip: unknown }[] {
  const paths = box.querySelectorAll<SVGElement & { __data__?: { tooltip?: unknown } }>('svg path, svg rect')
  return [...paths]
    .flatMap((path) => {
      const tooltip = path.__data__?.tooltip
      return tooltip === undefined || tooltip === null
        ? []
        : [{ path, tooltip, at: path.getBoundingClientRect() }]
    })
    .sort((a, b) => a.at.x - b.at.x || a.at.y - b.at.y)
}

function tipText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  const lines = Object.entries(value).map(([name, text]) => (name === 'trial' ? text : `${name}: ${text}`))
  return lines.join('\n')
}

function csvOf(rows: readonly Row[]): string {
  const header = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return csvTable(
    header,
    rows.map((row) => header.map((name) => row[name])),
  )
}

/** Replaces variables by the page's current colours. */
function coloured(text: string): string {
  const style = getComputedStyle(document.documentElement)
  return text.replace(/var\((--[\w-]+)\)/g, (_, name) => style.getPropertyValue(name).trim())
}

function svgText(svg: SVGSVGElement | null | undefined): string {
  if (!svg) return ''
  const { width, height } = svg.getBoundingClientRect()
  const copy = svg.cloneNode(true) as SVGSVGElement
  const size = { xmlns: 'http://www.w3.org/2000/svg', width: String(width), height: String(height) }
  for (const [name, value] of Object.entries(size)) copy.setAttribute(name, value)
  return coloured(new XMLSerializer().serializeToString(copy))
}
