import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Kind } from '../../src/config/kinds.ts'
import type { Reading } from '../../src/config/reading.ts'
import { readChain } from '../../src/config/transforms.ts'

const KIND: Kind = {
  word: 'ranking transform',
  definitions: new Map(
    [
      { name: 'cut', summary: '', params: z.strictObject({ to: z.int().min(1).default(10) }) },
      {
        name: 'boost',
        summary: '',
        params: z.strictObject({ hops: z.int().default(1), from: z.int().default(3) }),
      },
    ].map((definition) => [definition.name, definition]),
  ),
}

function read(raw: unknown) {
  const reading: Reading = {
    problems: [],
    folder: '/',
    folderOf: () => '/',
    placeOf: () => ({}),
    limit: 100,
    resolved: [],
    pinned: new Map(),
  }
  return {
    chains: readChain(raw, ['trials', 0, 'after'], 'after', KIND, reading),
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

  test('a grid among the params of one multiplies', () => {
    const { chains } = read([
      { boost: { grid: { hops: [1, 2], from: [3, 5] } } },
      { cut: { grid: { to: [5, 10] } } },
    ])
    expect(chains).toHaveLength(8)
    expect(chains[1].varied).toEqual({ 'boost.hops': 1, 'boost.from': 3, 'cut.to': 10 })
  })

  test('mistakes have their places', () => {
    expect(read(['cutt', { cut: { to: 0 } }]).problems).toMatchObject([
      {
        path: ['trials', 0, 'after', 0],
        message: 'there is no ranking transform `cutt` (did you mean "cut"?); there are cut, boost',
      },
      { path: ['trials', 0, 'after', 1, 'cut', 'to'], message: '`to` must be at least 1, not 0' },
    ])
    expect(read({ grid: [] }).problems).toHaveLength(1)
  })
})
