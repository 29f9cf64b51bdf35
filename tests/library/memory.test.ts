import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { callsIn } from '../cli/calls.ts'
import { writeTowns } from '../experiment/experiments.ts'
import { temporaryFolder } from '../temporary.ts'

afterEach(() => vi.restoreAllMocks())

test('what cannot fit is refused before anything is written, with the figure and what helps', async () => {
  const folder = temporaryFolder({ 'a.yaml': 'dataset: towns\ntrials: [naive]\nmeasures: [recall@5]\n' })
  writeTowns(join(folder, 'towns'), { towns: 12 })
  const calls = callsIn(folder)
  vi.spyOn(process, 'constrainedMemory').mockReturnValue(50e6)
  for (const words of [
    ['run', 'a.yaml', '--out', 'out', '--workers', '2'],
    ['prepare', 'a.yaml'],
  ]) {
    const { code, err } = await calls.call(...words)
    expect(code).toBe(2)
    expect(err).toMatch(
      /a\.yaml: peak memory: about 0\.\d GB to prepare, 0\.\d GB to run, and this machine has less than half of that \(0\.1 GB\); less with prepare\.embedder: \{lsa: \{dims: 100\}\}/,
    )
  }
  expect(existsSync(join(folder, 'out'))).toBe(false)
  expect(existsSync(join(folder, '.touchstone'))).toBe(false)
  // Memory of other programs may be free in a minute, so this is only a warning.
  vi.spyOn(process, 'constrainedMemory').mockReturnValue(0)
  vi.spyOn(process, 'availableMemory').mockReturnValue(1e6)
  const { code, err } = await calls.run('out')
  expect(code).toBe(0)
  expect(err).toContain('but only 0.0 GB are free')
})
