import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTuples } from '../../../src/corpus/graph/extractors/llm-graphrag.ts'

const field = fc.stringMatching(/^[A-Za-z][A-Za-z0-9 ,.]{0,18}[a-z]$/)
const record = fc.oneof(
  fc.record({ kind: fc.constant('entity' as const), fields: fc.tuple(field, field, field) }),
  fc.record({
    kind: fc.constant('relationship' as const),
    fields: fc.tuple(field, field, field, fc.integer({ min: 0, max: 10 }).map(String)),
  }),
)
const between = fc.constantFrom('\n', '##', '\n##\n', '\n\n')
const bullet = fc.constantFrom('', '- ', '  ', '* ')
const quote = fc.constantFrom('"', "'", '')
const end = fc.constantFrom('', '\n<|COMPLETE|>', '##<|COMPLETE|>\nI hope this helps!')

test('tuples are read however they are set', () => {
  fc.assert(
    fc.property(fc.array(record), between, bullet, quote, end, (records, between, bullet, quote, end) => {
      const written = records.map(
        ({ kind, fields }) => `${bullet}(${quote}${kind}${quote}<|>${fields.join('<|>')})`,
      )
      const read = readTuples(`Here they are:\n${written.join(between)}${end}`)
      const distinct = [...new Map(records.map((one) => [JSON.stringify(one), one])).values()]
      const entities = distinct.flatMap(({ kind, fields: [name, type, description] }) =>
        kind === 'entity' ? [{ name, type: type.toUpperCase(), description }] : [],
      )
      const relationships = distinct.flatMap(({ kind, fields: [source, target, description, strength] }) =>
        kind === 'relationship' ? [{ source, target, description, strength: Number(strength) }] : [],
      )
      expect(read).toEqual({ entities, relationships, malformed: 0, complete: end !== '' })
    }),
  )
})

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
