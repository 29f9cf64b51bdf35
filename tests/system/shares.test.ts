import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parts, RUN, start, until, writeExperiment } from '../experiment/killing.ts'
import { temporaryFolder } from '../temporary.ts'

const files = (folder: string) => {
  const experiment = join(folder, 'experiments', 'towns')
  return Object.fromEntries(
    readdirSync(experiment)
      .filter((name) => /\.(?:parquet|jsonl)$|^summary/.test(name))
      .map((name) => [name, readFileSync(join(experiment, name), 'latin1')]),
  )
}

test('three tasks at once, one of them killed and repeated, then collected: the bytes of one process', async () => {
  const folder = writeExperiment(temporaryFolder())
  const run = (...more: string[]) => start(folder, [...RUN, ...more])
  expect((await run().ended).code).toBe(0)
  const whole = files(folder)
  rmSync(join(folder, 'experiments'), { recursive: true })
  rmSync(join(folder, '.touchstone'), { recursive: true })

  const tasks = ['1/3', '2/3', '3/3'].map((share) => run('--shards', share))
  await until(() => parts(folder).length > 0 || tasks[0].process.exitCode !== null, 'a part')
  tasks[1].process.kill('SIGKILL')
  const [first, , third] = await Promise.all(tasks.map(({ ended }) => ended))
  expect([first.code, third.code]).toEqual([0, 0])
  expect(JSON.parse(first.out)).toMatchObject({ shards: 5, of: 13 })
  const early = await run('--collect').ended
  if (parts(folder).length < 13) {
    expect(early.code).toBe(2)
    expect(early.err).toMatch(
      /experiments\/towns: \d of 13 shards are missing: .*\. Run them with --shards I\/N/,
    )
  }
  expect((await run('--shards', '2/3').ended).code).toBe(0)
  expect((await run('--collect').ended).code).toBe(0)
  expect(files(folder)).toEqual(whole)
})
