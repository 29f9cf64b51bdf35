import { expect, it } from 'vitest'
import { createArena } from '../../src/ranking/fuse.ts'

it('gives rankings that do not touch one another', () => {
  const arena = createArena()
  const sizes = [0, 1, 2, 3, 7, 100, 5, 0, ...Array.from({ length: 60 }, (_, i) => (i * 37) % 50)]
  const taken = sizes.map((n) => arena.allocate(n))
  taken.forEach(({ rows, scores }, i) => {
    rows.fill(i)
    scores.fill(-i)
  })
  taken.forEach(({ rows, scores }, i) => {
    expect([...rows]).toEqual(new Array(sizes[i]).fill(i))
    expect([...scores]).toEqual(new Array(sizes[i]).fill(0 - i))
  })
})
