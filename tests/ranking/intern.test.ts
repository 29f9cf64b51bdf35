import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createInterner } from '../../src/ranking/intern.ts'

it('numbers rows as a Map would, in the order in which they are first met', () => {
  const row = fc.oneof(fc.nat(20), fc.nat(0xffffffff), fc.constantFrom(0, 0xffffffff))
  fc.assert(
    fc.property(fc.array(row, { maxLength: 200 }), (rows) => {
      const interner = createInterner(rows.length)
      const oracle = new Map<number, number>()
      for (const one of rows) {
        if (!oracle.has(one)) oracle.set(one, oracle.size)
        expect(interner.intern(one)).toBe(oracle.get(one))
      }
      expect(interner.count()).toBe(oracle.size)
    }),
  )
})
