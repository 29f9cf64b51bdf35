import { expect, it } from 'vitest'
import { createRoom } from '../../src/ranking/room.ts'

it('gives rankings that do not touch one another', () => {
  const room = createRoom()
  const sizes = [0, 1, 2, 3, 7, 100, 5, 0, ...Array.from({ length: 60 }, (_, i) => (i * 37) % 50)]
  const taken = sizes.map((n) => room.take(n))
  taken.forEach(({ rows, scores }, i) => {
    rows.fill(i)
    scores.fill(-i)
  })
  taken.forEach(({ rows, scores }, i) => {
    expect([...rows]).toEqual(new Array(sizes[i]).fill(i))
    expect([...scores]).toEqual(new Array(sizes[i]).fill(0 - i))
  })
})
