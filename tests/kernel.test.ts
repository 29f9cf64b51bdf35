import { expect, test } from 'vitest'
import { createLayout, openKernel } from '../src/kernel.ts'

test('the memory of a kernel holds what is laid out, to the last line of the last page', () => {
  const PAGE = 65_536
  for (const bytes of [0, 1, PAGE, PAGE + 64, 64 * PAGE, 64 * PAGE + 64]) {
    const layout = createLayout()
    expect(layout.reserve(bytes)).toBe(0)
    expect(layout.bytes()).toBe(64 * Math.ceil(bytes / 64))
    const { memory } = openKernel([], layout.bytes())
    expect(memory.byteLength).toBeGreaterThanOrEqual(layout.bytes())
    expect(memory.byteLength - layout.bytes()).toBeLessThanOrEqual(bytes === 0 ? PAGE : PAGE - 1)
  }
})

test('places begin at a cache line and do not overlap', () => {
  const layout = createLayout()
  const places = [1, 64, 65, 0, 3].map((bytes) => layout.reserve(bytes))
  expect(places).toEqual([0, 64, 128, 256, 256])
  expect(layout.bytes()).toBe(320)
})
