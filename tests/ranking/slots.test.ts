import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createSlots } from '../../src/ranking/slots.ts'

it('numbers rows as a Map would, in the order in which they are first met', () => {
  const row = fc.oneof(fc.nat(20), fc.nat(0xffffffff), fc.constantFrom(0, 0xffffffff))
  fc.assert(
    fc.property(fc.array(row, { maxLength: 200 }), (rows) => {
      const slots = createSlots(rows.length)
      const oracle = new Map<number, number>()
      for (const one of rows) {
        if (!oracle.has(one)) oracle.set(one, oracle.size)
        expect(slots.slotOf(one)).toBe(oracle.get(one))
      }
      expect(slots.count()).toBe(oracle.size)
    }),
  )
})
