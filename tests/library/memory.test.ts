import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { callsIn } from '../cli/calls.ts'
import { writeTowns } from '../run/experiments.ts'
import { temporaryFolder } from '../temporary.ts'

afterEach(() => vi.restoreAllMocks())

test('what cannot fit is refused before anything is written, with the figure and what helps', async () => {
  const folder = temporaryFolder({ 'a.yaml': 'dataset: towns\ntrials: [naive]\nmeasures: [recall@5]\n' })
  writeTowns(join(folder, 'towns'), { towns: 12 })
  const calls = callsIn(folder, {})
  vi.spyOn(process, 'availableMemory').mockReturnValue(50e6)
  for (const words of [
    ['run', 'a.yaml', '--out', 'out', '--workers', '2'],
    ['prepare', 'a.yaml'],
  ]) {
    const { code, err } = await calls.call(...words)
    expect(code).toBe(2)
    expect(err).toMatch(
      /a\.yaml: peak memory: about 0\.\d GB to prepare, 0\.\d GB to run, and less than half of that is free \(0\.1 GB\); less with prepare\.embedder: \{lsa: \{dims: 100\}\}/,
    )
  }
  expect(existsSync(join(folder, 'out'))).toBe(false)
  expect(existsSync(join(folder, '.touchstone'))).toBe(false)
  // Between the estimate and twice of what is free it warns: the estimate may be wrong by as much.
  vi.spyOn(process, 'availableMemory').mockReturnValue(100e6)
  const { code, err } = await calls.run('out')
  expect(code).toBe(0)
  expect(err).toContain('but only 0.1 GB are free')
})
