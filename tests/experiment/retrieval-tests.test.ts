import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fits, scoreTest } from '../../src/experiment/retrieval-tests.ts'

const chunk = (id: string, section: readonly string[], text = '') => ({
  id,
  section,
  title: section.at(-1) ?? '',
  text,
})

describe('a requirement', () => {
  it.each([
    [{ chunk: 'a' }, true],
    [{ chunk: 'A' }, false],
    [{ heading: 'grappled' }, true],
    [{ heading: 'Conditions  >  Grappled' }, true],
    [{ heading: 'Rules > Conditions > Grappled' }, true],
    [{ heading: '`Conditions` {#conditions} > **Grappled**' }, true],
    [{ heading: 'Conditions' }, false],
    [{ heading: 'Rules > Grappled' }, false],
    [{ heading: 'More > Rules > Conditions > Grappled' }, false],
    [{ text: 'SPEED is 0' }, true],
    [{ text: 'speed is 1' }, false],
  ])('%j: %s', (required, met) => {
    expect(fits(required, chunk('a', ['Rules', 'Conditions', 'Grappled'], 'Your speed\n  is 0.'))).toBe(met)
  })
})

it('recall counts requirements, precision chunks', () => {
  const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'))
  fc.assert(
    fc.property(
      ids,
      ids.filter(({ length }) => length > 0),
      (ids, wanted) => {
        const score = scoreTest(
          wanted.map((id) => ({ chunk: id })),
          ids.map((id) => chunk(id, [])),
        )
        const met = wanted.filter((id) => ids.includes(id))
        expect(score.recall).toBeCloseTo(met.length / wanted.length)
        expect(score.precision).toBeCloseTo(ids.length === 0 ? 0 : met.length / ids.length)
        expect(score.unmet.map((place) => wanted[place])).toEqual(wanted.filter((id) => !ids.includes(id)))
      },
    ),
  )
})
