import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import {
  expectUndisturbed,
  finish,
  killAtRandom,
  manifestOf,
  parts,
  RUN,
  SHARDS,
  start,
  until,
  wholeParts,
  writeExperiment,
} from '../experiment/killing.ts'
import { temporaryFolder } from '../temporary.ts'

/** So slow that no run ends between an event and the signal that answers it. */
const SLOWLY = { WAIT: '200' }

test('killed at random moments, the result is the undisturbed one', async () => {
  const hit = await killAtRandom(writeExperiment(temporaryFolder()), 3, 3)
  expect(hit.resumed).toBeGreaterThan(0)
})

describe('a run that is stopped', () => {
  test('by Ctrl-C, by SIGTERM or by two of them says how to resume, and resumes', async () => {
    const whole = writeExperiment(temporaryFolder())
    await finish(whole)
    const folder = writeExperiment(temporaryFolder())
    let last = 0
    for (const signals of [['SIGINT'], ['SIGTERM'], ['SIGINT', 'SIGINT']] as const) {
      const { process: child, ended } = start(folder, RUN, SLOWLY)
      await until(() => parts(folder).length > last, 'a part')
      for (const signal of signals) {
        child.kill(signal)
        if (signals.length > 1) await new Promise((next) => setTimeout(next, 100))
      }
      const { code, signal, err } = await ended
      // A second signal ends the process by itself, which a shell shows as the same code.
      const shown = signals.length > 1 && signal ? 128 + constants.signals[signal] : code
      expect(shown, err).toBe(128 + constants.signals[signals[0]])
      expect(err).toContain('nothing is lost: resume with the same command')
      if (signals.length === 1) {
        expect(err).toMatch(/stopped with \d+ of 13 shards done; resume with the same command/)
        // The work in progress was finished, and the folder released.
        expect(readdirSync(join(folder, 'experiments', 'towns'))).not.toContain('lock')
      }
      last = wholeParts(folder).length
      expect(last).toBeLessThan(SHARDS)
    }
    expect(await finish(folder)).toBe(SHARDS - last)
    expectUndisturbed(folder, manifestOf(whole))
  })

  test('because another one runs the same folder is told so; the other goes on', async () => {
    const folder = writeExperiment(temporaryFolder())
    const first = start(folder, RUN, SLOWLY)
    await until(() => parts(folder).length > 0, 'a part')
    // Alive, but not done before the others have come.
    first.process.kill('SIGSTOP')
    const second = await start(folder, RUN).ended
    expect(second.code).toBe(2)
    expect(second.err).toContain(`experiments/towns: is being run by process ${first.process.pid}`)
    // Nor does another experiment push it aside.
    const other = await start(folder, [...RUN, '--set', 'trials=[bm25]']).ended
    expect(other.err).toContain('is being run by process')
    first.process.kill('SIGCONT')
    expect((await first.ended).code).toBe(0)
  })
})

describe('files that were altered', () => {
  test('parts are run again; a file of the store is told', async () => {
    const folder = writeExperiment(temporaryFolder())
    await finish(folder)
    const undisturbed = manifestOf(folder)
    const experiment = join(folder, 'experiments', 'towns')
    const [first, second] = parts(folder)
    truncateSync(first, statSync(first).size >> 1)
    const bytes = readFileSync(second)
    bytes[bytes.length >> 1] ^= 1
    writeFileSync(second, bytes)
    spawnSync('rm', [join(experiment, 'summary.json')])
    expect(await finish(folder)).toBe(2)
    expectUndisturbed(folder, undisturbed)

    const store = join(folder, '.touchstone', 'text_units')
    const [key] = readdirSync(store)
    const file = join(store, key, 'text_units.parquet')
    const content = readFileSync(file)
    truncateSync(file, 100)
    spawnSync('rm', [join(experiment, 'summary.json')])
    const { code, err } = await start(folder, RUN).ended
    expect(code).toBe(2)
    expect(err).toMatch(
      /text_units\.parquet: was altered since it was written; delete the folder .* and prepare again/,
    )
    writeFileSync(file, content)
    expect(await finish(folder)).toBe(0)
    expectUndisturbed(folder, undisturbed)
  })
})

describe('a disk that refuses', () => {
  // The administrator may write anywhere.
  test.skipIf(process.getuid?.() === 0)('a folder without leave to write is told', async () => {
    const folder = writeExperiment(temporaryFolder())
    mkdirSync(join(folder, 'experiments'))
    chmodSync(join(folder, 'experiments'), 0o555)
    const { code, err } = await start(folder, RUN).ended
    chmodSync(join(folder, 'experiments'), 0o755)
    expect(code).toBe(2)
    expect(err).toContain('permission denied, then run the same command again: nothing is lost')
  })

  const small = temporaryMount('size=400k')
  afterAll(() => {
    if (small === null) return
    spawnSync('umount', [small])
    rmdirSync(small)
  })
  test.skipIf(small === null)(
    small === null
      ? 'a full disk (skipped: no leave to mount one)'
      : 'a full disk is told, and nothing is lost',
    async () => {
      const folder = writeExperiment(temporaryFolder())
      await finish(folder)
      const undisturbed = manifestOf(folder)
      const out = small as string
      // Room for the first files, not for all.
      writeFileSync(join(out, 'ballast'), Buffer.alloc(330_000))
      const words = [...RUN, '--out', join(out, 'towns')]
      const { code, err } = await start(folder, words).ended
      expect(code, err).toBe(2)
      expect(err).toContain(
        'the disk is full; free some space, then run the same command again: nothing is lost',
      )
      spawnSync('mount', ['-o', 'remount,size=20m', out])
      const again = await start(folder, words).ended
      expect(again.code, again.err).toBe(0)
      const { result } = JSON.parse(readFileSync(join(out, 'towns', 'manifest.json'), 'utf8'))
      expect(result).toBe(undisturbed.result)
      expect(
        readdirSync(join(out, 'towns'), { recursive: true, encoding: 'utf8' }).filter((file) =>
          file.endsWith('.tmp'),
        ),
      ).toEqual([])
    },
  )
})

/** A small disk of its own; null where that is not permitted. */
function temporaryMount(size: string): string | null {
  const place = spawnSync('mktemp', ['-d']).stdout?.toString().trim()
  if (!place) return null
  return spawnSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', place]).status === 0 ? place : null
}

test('a worker that runs out of memory is told, and finished shards are kept', async () => {
  const folder = writeExperiment(temporaryFolder(), '[bm25, ./greedy.mjs]')
  writeFileSync(
    join(folder, 'greedy.mjs'),
    `export default ({ defineStrategy, steps, z }) => {
      const index = { k1: 0.9, b: 0.4, idf: 'lucene' }
      const hoard = steps.defineStep({ name: 'hoard', version: 1, yields: 'ranking', run: ([ranking, query]) => {
        const kept = []
        while (process.env.HOARD && query.text.includes('TownR17 ')) kept.push(new Array(10000).fill(kept.length))
        return ranking
      } })
      return defineStrategy({ name: 'greedy', summary: 'hoards', source: 'here', params: z.strictObject({}),
        make: () => ({ retrieve: (query) => ({ ranking: hoard([steps.searchBm25([query], { depth: 10, index }), query], null) }) }) })
    }`,
  )
  const { code, err } = await start(folder, RUN, { NODE_OPTIONS: '--max-old-space-size=200', HOARD: 'yes' })
    .ended
  expect(err).toContain('a worker ran out of memory; try fewer --workers than 2')
  expect(code).toBe(2)
  const done = wholeParts(folder).length
  expect(done).toBeGreaterThan(0)
  // Without the variable it hoards nothing.
  const again = await start(folder, [...RUN.slice(0, 2), '--workers', '1', '--shard-size', '2', '--json'])
    .ended
  expect(again.code, again.err).toBe(0)
  expect(JSON.parse(again.out).ran).toBe(SHARDS - done)
})
