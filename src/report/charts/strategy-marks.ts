/** Colour and shape of a strategy. */
export interface StrategyMark {
  /** From 1: `--hue-1` in style/colours.css. */
  readonly hue: number
  readonly shape: Shape
}

interface Shape {
  /** Vega's name, or a path from -1 to 1. */
  readonly vega: string
  /** Path from -5 to 5. */
  readonly path: string
}

/** Strategies with the same mark in every report. */
export const FIXED = [
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

/** One per hue. */
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
 * Marks by strategy. Strategies without a fixed mark look for a free one from a place given by their name. If hues
 * are used up, shapes are shifted.
 */
export function marksOf(strategies: readonly string[]): ReadonlyMap<string, StrategyMark> {
  const indexes = new Map<string, number>()
  for (const name of strategies) if (FIXED.includes(name)) indexes.set(name, FIXED.indexOf(name))
  const taken = new Set(indexes.values())
  for (const name of [...new Set(strategies)].sort()) {
    if (indexes.has(name)) continue
    const round = HUES * Math.floor(taken.size / HUES)
    let index = FIXED.length + (hashOf(name) % (HUES - FIXED.length))
    while (taken.has(round + (index % HUES))) index++
    indexes.set(name, round + (index % HUES))
    taken.add(round + (index % HUES))
  }
  return new Map([...indexes].map(([name, index]) => [name, markAt(index)]))
}

export function marked(
  strategies: readonly string[],
): readonly { readonly name: string; readonly hue: number; readonly shape: string }[] {
  const marks = marksOf(strategies)
  return strategies.map((name) => ({
    name,
    hue: marks.get(name)?.hue ?? 1,
    shape: marks.get(name)?.shape.path ?? '',
  }))
}

function markAt(index: number): StrategyMark {
  const shape = SHAPES[(index + Math.floor(index / HUES)) % SHAPES.length]
  return { hue: (index % HUES) + 1, shape }
}

function hashOf(name: string): number {
  return [...name].reduce((hash, char) => (31 * hash + (char.codePointAt(0) ?? 0)) >>> 0, 0)
}

export function shape(strategies: readonly string[]) {
  return encoding(strategies, ({ shape }) => shape.vega)
}

export function colour(strategies: readonly string[]) {
  return encoding(strategies, ({ hue }) => `var(--hue-${hue})`)
}

function encoding(strategies: readonly string[], of: (mark: StrategyMark) => string) {
  const range = [...marksOf(strategies)]
  return {
    field: 'strategy',
    type: 'nominal',
    legend: null,
    scale: { domain: range.map(([name]) => name), range: range.map(([, mark]) => of(mark)) },
  }
}
