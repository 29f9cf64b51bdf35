import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { records } from '../../scripts/worlds/quickstart.ts'
import { SEED } from '../../scripts/worlds/worlds.ts'
import type { Document } from '../../src/types.ts'
import { temporaryFolder } from '../temporary.ts'
import { type Judged, recallAt5 } from '../world/recall.ts'

const RECORDING = resolve(import.meta.dirname, '../../datasets/quickstart/all-MiniLM-L6-v2.parquet')
const STRATEGIES = ['naive', 'hybrid', 'graphrag-local', 'graphrag-global', 'lightrag', 'hipporag']

test('each of six strategies beats another one in some category of the quickstart, and loses in some', async () => {
  const { passages, asked } = records(SEED, 1)
  const idOf = new Map(passages.map((passage, place) => [passage, `p${String(place).padStart(3, '0')}`]))
  const documents = passages.map((passage): Document => {
    const { title, text } = passage
    return { id: idOf.get(passage) as string, title, text, metadata: {} }
  })
  const queries = asked.map(({ text, category, gold }, place): Judged => {
    return { id: `q${place}`, text, category, gold: gold.map((passage) => idOf.get(passage) as string) }
  })
  const categories = [...new Set(queries.map(({ category }) => category))]
  const store = temporaryFolder()
  const means: number[][] = []
  for (const name of STRATEGIES) {
    const recalls = await recallAt5(name, documents, queries, store, {
      name: 'recorded',
      params: { path: RECORDING },
    })
    const row = categories.map((category) => {
      const values = recalls.filter((_, place) => queries[place].category === category)
      return values.reduce((sum, value) => sum + value, 0) / values.length
    })
    means.push(row)
  }
  // By ten points at least.
  const beats = (first: readonly number[], second: readonly number[]) =>
    first.some((value, place) => value > second[place] + 0.1)
  for (const [place, row] of means.entries()) {
    const others = means.filter((other) => other !== row)
    expect(
      others.some((other) => beats(row, other)),
      STRATEGIES[place],
    ).toBe(true)
    expect(
      others.some((other) => beats(other, row)),
      STRATEGIES[place],
    ).toBe(true)
  }
}, 120_000)
