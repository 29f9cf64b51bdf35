import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeTowns } from '../experiment/experiments.ts'
import { RUN, start, until, writeExperiment } from '../experiment/killing.ts'
import { temporaryFolder } from '../temporary.ts'

test('killed in the second data set: the first is kept whole, the bytes are the undisturbed ones', async () => {
  const folder = writeExperiment(temporaryFolder())
  const at = (path: string) => join(folder, path)
  writeTowns(at('villages'), { towns: 12 })
  writeFileSync(
    at('towns.yaml'),
    readFileSync(at('towns.yaml'), 'utf8').replace('dataset: towns', 'dataset: [towns, villages]'),
  )
  const table = at('experiments/towns/summary.json')
  const finish = async (): Promise<number[]> => {
    const { code, out, err } = await start(folder, RUN).ended
    expect(code, err).toBe(0)
    return JSON.parse(out).datasets.map(({ ran }: { ran: number }) => ran)
  }
  expect(await finish()).toEqual([13, 7])
  const undisturbed = readFileSync(table, 'utf8')
  for (const name of ['experiments', 'reports']) rmSync(at(name), { recursive: true, force: true })
  const { process: child, ended } = start(folder, RUN, { WAIT: '200' })
  const parts = at('experiments/towns/villages/parts')
  const names = () => (existsSync(parts) ? readdirSync(parts, { recursive: true, encoding: 'utf8' }) : [])
  await until(() => names().some((name) => name.endsWith('.parquet')), 'a part')
  child.kill('SIGKILL')
  await ended
  expect(existsSync(table)).toBe(false)
  const [first, second] = await finish()
  expect(first).toBe(0)
  expect(second).toBeLessThan(7)
  expect(readFileSync(table, 'utf8')).toBe(undisturbed)
  const left = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  expect(left.filter((file) => /\.tmp$|lock$/.test(file))).toEqual([])
})
