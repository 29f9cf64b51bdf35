import { expect, test } from 'vitest'
import { createRankedTexts } from '../../src/experiment/shard/ranked-texts.ts'
import { parseMeasure } from '../../src/metrics/parse.ts'
import type { Chunk, Json, JudgedQuery } from '../../src/types.ts'

const TEXTS = [
  'Lomm, a town, was built by Orr.',
  'The sister of Orr is Vesk.',
  'Vesk was born in Halgarth.',
  'Lommer.',
]
const chunks = TEXTS.map((text) => ({ title: '', text, metadata: {} })) as unknown as Chunk[]
const read = createRankedTexts([parseMeasure('entity_recall@5')], chunks)

function columns(metadata: Record<string, Json>, rows: readonly number[], id = JSON.stringify(metadata)) {
  const { entities, facts } = read(
    { id, metadata, answers: [] } as unknown as JudgedQuery,
    Uint32Array.from(rows),
  )
  return { entities: entities && [...entities], facts: facts && [...facts] }
}

const path = [
  ['Lomm', 'built by', 'Orr'],
  ['Orr', 'sister', 'Vesk'],
  ['Vesk', 'born in', 'Halgarth'],
]

test('entities and facts of a path have the first rank whose text names them, as whole words', () => {
  // Entities in order: Lomm, Orr, Vesk, Halgarth. "Lommer" names no Lomm.
  expect(columns({ path }, [3, 1, 0])).toEqual({ entities: [3, 2, 2, 0], facts: [3, 2, 0] })
  expect(columns({ path }, [])).toEqual({ entities: [0, 0, 0, 0], facts: [0, 0, 0] })
  // One text names neither fact's ends together.
  expect(columns({ path: [['Lomm', 'Halgarth']] }, [0, 2])).toEqual({ entities: [1, 2], facts: [0] })
})
