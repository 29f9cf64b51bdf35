import { join } from 'node:path'
import { main } from '../../src/cli/main.ts'
import { writeTowns } from '../experiment/experiments.ts'
import { temporaryFolder } from '../temporary.ts'
import { standIn } from './stand-in.ts'

/** A folder with two sizes of towns and a config; `call` runs a command line in it. */
export function setUp(config: string, files: Readonly<Record<string, string>> = {}, towns = 12) {
  const folder = temporaryFolder({ 'a.yaml': config, ...files })
  writeTowns(join(folder, 'towns'), { towns })
  writeTowns(join(folder, 'more'), { towns: 18 })
  const call = async (...argv: string[]) => {
    const terminal = standIn({ folder })
    const code = await main(argv, terminal)
    return { code, out: terminal.stdout(), err: terminal.stderr() }
  }
  return { folder, call }
}
