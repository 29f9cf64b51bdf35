import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { main } from '../../src/cli/main.ts'
import { standIn } from './stand-in.ts'

/** The command line in one folder with one environment, and all that it printed. */
export function callsIn(folder: string, env: Readonly<Record<string, string>>) {
  let said = ''
  const call = async (...argv: string[]) => {
    const terminal = standIn({ folder, env })
    const code = await main(argv, terminal)
    said += terminal.stdout() + terminal.stderr()
    return { code, out: terminal.stdout(), err: terminal.stderr() }
  }
  const run = (out: string, ...argv: string[]) =>
    call('run', 'a.yaml', '--workers', '1', '--out', out, '--report', `${out}.html`, ...argv)
  const resultOf = (out: string) =>
    JSON.parse(readFileSync(join(folder, out, 'manifest.json'), 'utf8')).result
  return { folder, call, run, resultOf, said: () => said }
}
