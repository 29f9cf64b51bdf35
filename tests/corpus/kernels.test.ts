import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { compileKernel, kernels } from '../../scripts/kernels.mjs'

describe('kernels', () => {
  it('there are some', () => {
    expect(kernels().length).toBeGreaterThan(0)
  })

  it.each(kernels())('%s is what the binary beside it was compiled from', async (path) => {
    const compiled = Buffer.from(await compileKernel(path))
    const committed = readFileSync(path.replace(/\.wat$/, '.wasm'))
    expect(compiled.equals(committed)).toBe(true)
  })
})
