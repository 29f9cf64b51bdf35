import { vi } from 'vitest'
import type { Answer, Counts, Meta, PackedHit, WalkedLink } from '../../../src/report/browser/types.d.ts'

/** A page of a report without a browser: what its scripts read, as the report writes it. */

const META = {
  experiment: 'towns',
  primary: 'recall@5',
  baseline: 7,
  best: 4,
  chosen: [9, 4, 3, 7],
  shape: { queries: 5, trials: [4, 7, 9], lists: [4, 9], stages: ['pool'], measures: ['recall@5', 'hits'] },
} as unknown as Meta

/** Ten trials; the fifth failed on a query. */
const BOARD = {
  strategies: [],
  ranked: Array.from({ length: 10 }, (_, trial) => ({
    trial,
    failures: trial === 4 ? [{ query: 'q1', step: 'rerank', message: 'no answer' }] : [],
  })),
  seen: [],
}

const answer = (trial: number, text: string, more: Partial<Answer> = {}): Answer => ({
  trial,
  answerer: 'small',
  text,
  failure: '',
  values: [],
  cites: [],
  ...more,
})

/** Answers by query. */
const ANSWERS: readonly (readonly Answer[])[] = [
  [
    answer(4, 'Salt [1].', {
      values: [
        { name: 'exact', value: 1, reason: '' },
        { name: 'faithful', value: 0.5, reason: 'half of it' },
      ],
      cites: [[1, 0, '']],
    }),
    answer(-1, 'Glass.'),
    answer(9, 'Salt.', { answerer: 'large' }),
  ],
  [answer(4, '', { failure: 'no reply' })],
  [],
  [],
  [],
]

const HITS: Readonly<Record<number, readonly PackedHit[]>> = {
  0: [
    [1, 0.75, 0, ''],
    [2, 0.5, 1, 'hop 1'],
  ],
  6: [[0, 0.25, 0, '']],
}

const [ADA, MILL] = [
  { name: 'Ada', text: -2 },
  { name: 'Mill', text: 1 },
]
const LINKS: readonly WalkedLink[] = [
  { from: null, to: ADA, share: 0.5 },
  { from: ADA, to: MILL, share: null },
  { from: null, to: MILL, share: 0 },
]

const SAID: Readonly<Record<number, Counts>> = {
  0: {
    counts: [
      ['fallbacks', 1],
      ['hops', 2],
    ],
    notes: [['terms', 'honey']],
  },
  2: { counts: [['fallbacks', 2]], notes: [] },
  5: { counts: [['hops', 3]], notes: [] },
  6: { counts: [], notes: [['terms', 'salt']] },
}

/** Blocks by name: JSON, or numbers of a type. */
const BLOCKS: Readonly<Record<string, unknown>> = {
  board: BOARD,
  queries: {
    id: ['q10', 'q2', 'q1', 'q3', 'q4'],
    text: ['Who sells SALT?', 'Who rules?', 'Which craft?', 'Which salt road?', 'Why?'],
    category: ['fact', 'bridge', 'fact', 'bridge', 'none'],
  },
  labels: { query: [0, 0, 1, 2, 1], grade: [1, 2, 1, 0, 1], text: [0, 1, -1, 1, 2] },
  texts: { title: ['Ada', 'Mill', 'Bridge'], text: ['Ada sells honey.', 'A mill.', 'Of Iron.'] },
  // By label and trial.
  ranks: new Uint16Array([3, 0, 0, 2, 0, 4, 5, 6, 7, 1, 1, 1, 0, 9, 0]),
  // By query and trial: 0 for a query that is not judged, or the place of a value from 1.
  scores0: new Uint8Array([3, 2, 1, 1, 3, 1, 0, 0, 0, 2, 2, 2, 0, 1, 1]),
  values0: [0, 0.5, 1],
  scores1: new Uint8Array([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]),
  values1: [7],
  // By list and query.
  said: Array.from({ length: 10 }, (_, cell) => SAID[cell] ?? { counts: [], notes: [] }),
  routes: [
    { router: 'length', arm: 'short', queries: [0, 1, 4] },
    { router: 'length', arm: 'long', queries: [2] },
    { router: 'kind', arm: 'long', queries: [4] },
  ],
  // By list and query.
  hits: Array.from({ length: 10 }, (_, cell) => HITS[cell] ?? []),
  breakdown: [
    [
      { step: 'dense', ranks: [1, 2], scores: [0.9, 0.8] },
      { step: 'fuse', ranks: [2, 0], scores: [0.5, 0] },
    ],
    ...Array.from({ length: 9 }, () => []),
  ],
  walks: Array.from({ length: 10 }, (_, cell) => (cell === 6 ? [{ step: 'walk', links: LINKS }] : [])),
  answers: ANSWERS,
}

const TYPES = { Uint8Array: 'u8', Uint16Array: 'u16', Uint32Array: 'u32' } as const

async function packed(value: unknown) {
  const isTyped = ArrayBuffer.isView(value)
  const bytes = isTyped ? value : new TextEncoder().encode(JSON.stringify(value))
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream()
  const zipped = await new Response(stream.pipeThrough(new CompressionStream('deflate'))).arrayBuffer()
  const textContent = btoa(String.fromCharCode(...new Uint8Array(zipped)))
  const type = isTyped ? TYPES[value.constructor.name as keyof typeof TYPES] : undefined
  return { textContent, dataset: { type } }
}

/** Makes the page the global `document`, until globals are restored. Import the page's scripts afterwards. */
export async function openPage(): Promise<void> {
  const elements = new Map<string, object>([['meta', { textContent: JSON.stringify(META) }]])
  for (const [name, value] of Object.entries(BLOCKS)) elements.set(`block-${name}`, await packed(value))
  vi.stubGlobal('document', { getElementById: (id: string) => elements.get(id) ?? null })
}
