import { describe, expect, it } from 'vitest'
import { describeMachine, processorFeatures } from '../../src/library/machine.ts'

describe('what the manifest says of a machine', () => {
  it.each([
    ['flags\t\t: fpu sse4_2 avx2 avx512f avx512_vnni\nbugs\t: avx_vnni\n', 'avx2 avx512_vnni'],
    ['model name\t: one\nflags\t\t: fpu avx2\n\nmodel name\t: two\nflags\t\t: fpu\n', 'avx2'],
    ['flags\t\t: fpu avx_vnni_int8\n', 'none'],
    ['Features\t: fp asimd asimddp i8mm\n', 'asimddp i8mm'],
    ['processor\t: 0\n', 'unknown'],
    [undefined, 'unknown'],
  ])('names what matters for int8: %j', (cpuinfo, features) => {
    expect(processorFeatures(cpuinfo)).toBe(features)
  })

  it('is names and words', () => {
    expect(Object.keys(describeMachine())).toEqual(['node', 'icu', 'platform', 'cpu', 'int8'])
    for (const value of Object.values(describeMachine())) expect(value).toMatch(/^\S/)
  })
})
