import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTuples } from '../../../src/corpus/graph/extractors/llm-graphrag.ts'

test('any text is read, to records whose names are not empty', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('entity', '"', '<|>', '(', ')', '##', 'a', '\n', 'relationship')),
      (parts) => {
        const { entities, relationships } = readTuples(parts.join(''))
        for (const { name } of entities) expect(name).not.toBe('')
        for (const { source, target, strength } of relationships) {
          expect([source, target]).not.toContain('')
          expect(strength).toBeGreaterThanOrEqual(0)
        }
      },
    ),
  )
})
