import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parquetReadObjects } from 'hyparquet'
import { main } from '../../src/cli/main.ts'
import type { Summary } from '../../src/results/summary.ts'
import { writeTowns } from '../experiment/experiments.ts'
import { temporaryFolder } from '../temporary.ts'
import { standIn } from './stand-in.ts'

/** The command line in one folder with one environment, and all that it printed. */
export function callsIn(folder: string, env: Readonly<Record<string, string>> = {}) {
  let said = ''
  const call = async (...argv: string[]) => {
    const terminal = standIn({ folder, env })
    const code = await main(argv, terminal)
    said += terminal.stdout() + terminal.stderr()
    return { code, out: terminal.stdout(), err: terminal.stderr() }
  }
  const run = (out: string, ...argv: string[]) =>
    call('run', 'a.yaml', '--workers', '1', '--out', out, '--report', `${out}.html`, ...argv)
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'))
  const resultOf = (out: string) => read(`${out}/manifest.json`).result
  const summaryOf = (out: string): Summary => read(`${out}/summary.json`)
  /** Rows of a Parquet file. */
  const rowsOf = (file: string) =>
    parquetReadObjects({ file: Uint8Array.from(readFileSync(join(folder, file))).buffer })
  return { folder, call, run, read, rowsOf, resultOf, summaryOf, said: () => said }
}

/** A folder with two sizes of towns and a config, and the command line in it. */
export function callsInTowns(
  config: string,
  files: Readonly<Record<string, string>> = {},
  towns = 12,
  env = {},
) {
  const folder = temporaryFolder({ 'a.yaml': config, ...files })
  writeTowns(join(folder, 'towns'), { towns })
  writeTowns(join(folder, 'more'), { towns: 18 })
  return callsIn(folder, env)
}
