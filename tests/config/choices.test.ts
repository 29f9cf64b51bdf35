import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readSlotChoices } from '../../src/config/choices.ts'
import type { Reading } from '../../src/config/reading.ts'

import { createRegistry } from '../../src/registry.ts'

const REGISTRY = createRegistry('ranking transform', [
  { name: 'cut', summary: '', params: z.strictObject({ to: z.int().min(1).default(10) }) },
  {
    name: 'boost',
    summary: '',
    params: z.strictObject({
      hops: z.int().default(1),
      from: z.int().default(3),
      within: z.strictObject({ edges: z.int().optional(), nodes: z.int().optional() }).optional(),
    }),
  },
])

function read(raw: unknown) {
  const reading: Reading = {
    problems: [],
    folder: '/',
    folderOf: () => '/',
    locate: () => ({}),
    rewrites: [],
    customFiles: new Map(),
    pinned: new Map(),
    named: {
      model: { raw: {}, known: new Map() },
      reranker: { raw: {}, known: new Map() },
      engine: { raw: {}, known: new Map() },
    },
  }
  return {
    chains: readSlotChoices(
      raw,
      ['trials', 0, 'after'],
      { key: 'after', registry: REGISTRY, takes: 'list' },
      reading,
    ),
    problems: reading.problems,
  }
}

describe('what stands after a strategy', () => {
  test('nothing, or a list in order with defaults', () => {
    expect(read(undefined).chains).toMatchObject([{ choices: [], varied: {} }])
    expect(read(['cut', { boost: { hops: 2 } }]).chains).toMatchObject([
      {
        choices: [
          { name: 'cut', params: { to: 10 } },
          { name: 'boost', params: { hops: 2, from: 3 } },
        ],
        varied: {},
      },
    ])
  })

  test('a grid over lists: none, one, several; labelled by what the config gives', () => {
    const { chains } = read({ grid: [[], 'cut', [{ boost: { hops: 2 } }, 'cut']] })
    expect(chains.map(({ varied }) => varied)).toEqual([
      { after: 'none' },
      { after: 'cut' },
      { after: 'boost(hops=2)+cut' },
    ])
  })

  test('an unknown key of a map among the params names the keys of that map', () => {
    expect(read([{ boost: { within: { edge: 1 } } }]).problems).toEqual([
      {
        path: ['trials', 0, 'after', 0, 'boost', 'within', 'edge'],
        on: 'key',
        message: 'boost has no param `edge` (did you mean "edges"?); there are edges, nodes',
      },
    ])
  })
})
