import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Diagnostic, UserError } from '../errors.ts'
import { SHARD_SIZE } from '../experiment/plan/plan.ts'
import { NEW_FILE, requireOutputs, writeOutput } from '../store/output.ts'
import run from './commands/run.ts'
import type { Io } from './io.ts'

const DATA = ['corpus.jsonl', 'queries.jsonl', 'qrels/test.tsv', 'all-MiniLM-L6-v2.parquet', 'README.md']
/** Places in this package, by path below the folder of the demo. */
const SOURCES = new Map([
  ['quickstart.yaml', 'configs/quickstart.yaml'],
  ...DATA.map((file) => [`dataset/${file}`, `datasets/quickstart/${file}`] as const),
])

/** Writes the quickstart into a folder and runs it there. Resolves to the exit code of the run. */
export async function runDemo(folder: string, json: boolean, io: Io, signal: AbortSignal) {
  const files = demoFiles()
  const out = join(folder, 'experiments', 'quickstart')
  const report = join(folder, 'reports', 'quickstart.html')
  const written = [...files.keys()].map((file) => join(folder, file))
  requireOutputs([...written, out, report].map((path) => ({ path, kind: NEW_FILE })))
  for (const [file, content] of files) writeOutput(join(folder, file), content, NEW_FILE)
  const config = join(folder, 'quickstart.yaml')
  const shown = io.shown(config)
  io.err(`wrote ${files.size} files to ${io.shown(folder)}; running ${shown}`)
  const options = {
    set: [],
    store: undefined,
    only: undefined,
    limit: undefined,
    workers: 1,
    out,
    report,
    shardSize: SHARD_SIZE,
    shards: undefined,
    collect: false,
    json,
  }
  return (await run.run({ args: { config }, options, io, signal })) ?? undefined
}

/** Config and data of the quickstart. Throws a UserError for every file that the package lacks. */
function demoFiles(): Map<string, string | Uint8Array> {
  const root = new URL('../../', import.meta.url)
  const missing: Diagnostic[] = []
  const files = new Map<string, string | Uint8Array>()
  for (const [path, source] of SOURCES) {
    const file = fileURLToPath(new URL(source, root))
    try {
      files.set(path, readFileSync(file))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      missing.push({ file, message: 'is missing from the package; install it again' })
    }
  }
  if (missing.length > 0) throw new UserError(missing)
  const config = String(files.get('quickstart.yaml'))
    .replaceAll('../datasets/quickstart', 'dataset')
    .replace('npx touchstone run configs/', 'touchstone run ')
  return files.set('quickstart.yaml', config)
}
