import { say } from '../words.tsx'

interface Shape {
  /** Vega's name, or a path from -1 to 1. */
  readonly vega: string
  /** Path from -5 to 5. */
  readonly path: string
}

/** Strategies with the same mark in every report. */
const FIXED = [
  'naive',
  'bm25',
  'hybrid',
  'title-ppr',
  'hipporag',
  'graphrag-local',
  'lightrag',
  'graphrag-global',
  'router',
]

export const SHAPES: readonly Shape[] = [
  { vega: 'circle', path: 'M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0' },
  { vega: 'square', path: 'M-4.5 -4.5h9v9h-9z' },
  { vega: 'triangle-up', path: 'M0 -5L5 4.5H-5z' },
  { vega: 'diamond', path: 'M0 -5.5L4 0L0 5.5L-4 0z' },
  { vega: 'cross', path: 'M-5 -1.7h3.3v-3.3h3.4v3.3h3.3v3.4h-3.3v3.3h-3.4v-3.3h-3.3z' },
  { vega: 'triangle-down', path: 'M0 5L5 -4.5H-5z' },
  { vega: 'triangle-right', path: 'M5 0L-4.5 5V-5z' },
  { vega: 'triangle-left', path: 'M-5 0L4.5 5V-5z' },
  { vega: 'M-.4 -1h.8v2h-.8z', path: 'M-2 -5h4v10h-4z' },
  { vega: 'M-1 -.4h2v.8h-2z', path: 'M-5 -2h10v4h-10z' },
  { vega: 'M-.9 -.9h1.8l-1.8 1.8h1.8z', path: 'M-4.5 -4.5h9l-9 9h9z' },
  {
    vega: 'M-.9 -.5l.4 -.4l.5 .5l.5 -.5l.4 .4l-.5 .5l.5 .5l-.4 .4l-.5 -.5l-.5 .5l-.4 -.4l.5 -.5z',
    path: 'M-4.5 -2.5l2 -2l2.5 2.5l2.5 -2.5l2 2l-2.5 2.5l2.5 2.5l-2 2l-2.5 -2.5l-2.5 2.5l-2 -2l2.5 -2.5z',
  },
]
const HUES = SHAPES.length

/**
 * Marks in the given order. Strategies without a fixed mark look for a free one from a place given by their name. If hues are
 * used up, shapes are shifted.
 */
export function marked(strategies: readonly string[]): (KeyEntry & { readonly vega: string })[] {
  const indexes = new Map(
    strategies.flatMap((name) => (FIXED.includes(name) ? [[name, FIXED.indexOf(name)]] : [])),
  )
  const usedHues = new Set(indexes.values())
  for (const name of [...new Set(strategies)].sort()) {
    if (indexes.has(name)) continue
    const round = HUES * Math.floor(usedHues.size / HUES)
    let index = FIXED.length + (hashOf(name) % (HUES - FIXED.length))
    while (usedHues.has(round + (index % HUES))) index++
    indexes.set(name, round + (index % HUES))
    usedHues.add(round + (index % HUES))
  }
  return strategies.map((name) => {
    const index = indexes.get(name) ?? 0
    const { path, vega } = SHAPES[(index + Math.floor(index / HUES)) % HUES]
    return { name, hue: (index % HUES) + 1, shape: path, vega }
  })
}

function hashOf(name: string): number {
  return [...name].reduce((hash, char) => (31 * hash + (char.codePointAt(0) ?? 0)) >>> 0, 0)
}

/** Vega encoding of a point's shape by its strategy. */
export function shape(strategies: readonly string[]) {
  return encoding(strategies, ({ vega }) => vega)
}

export function colour(strategies: readonly string[]) {
  return encoding(strategies, ({ hue }) => `var(--hue-${hue})`)
}

function encoding(strategies: readonly string[], of: (mark: ReturnType<typeof marked>[number]) => string) {
  const marks = marked(strategies)
  return {
    field: 'strategy',
    type: 'nominal',
    legend: null,
    scale: { domain: marks.map(({ name }) => name), range: marks.map(of) },
  }
}

export function StrategyMark({ hue, shape }: Pick<KeyEntry, 'hue' | 'shape'>) {
  return (
    <svg class="mark" viewBox="-6 -6 12 12" aria-hidden="true">
      <path d={shape} fill={`var(--hue-${hue})`} />
    </svg>
  )
}

interface KeyEntry {
  readonly name: string
  /** From 1: `--hue-1` in style/colours.css. */
  readonly hue: number
  readonly shape: string
  readonly words?: string
}

/** Key of colours and shapes, with explanations if any. */
export function Key({ entries }: { readonly entries: readonly KeyEntry[] }) {
  return (
    <ul class={entries.some(({ words }) => words) ? 'key explained' : 'key'}>
      {entries.map(({ name, words, hue, shape }) => (
        <li>
          <StrategyMark hue={hue} shape={shape} />
          <span>{words ? say`${<b>{name}</b>}: ${words}.` : name}</span>
        </li>
      ))}
    </ul>
  )
}
