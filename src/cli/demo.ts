import { join } from 'node:path'
import { SHARD_SIZE } from '../experiment/plan/plan.ts'
import { NEW_FILE, requireOutputs, writeOutput } from '../store/output.ts'
import run from './commands/run.ts'
import type { Io } from './io.ts'
import { packageFiles } from './starter.ts'

const DATA = ['corpus.jsonl', 'queries.jsonl', 'qrels/test.tsv', 'all-MiniLM-L6-v2.parquet', 'README.md']

export async function runDemo(folder: string, json: boolean, io: Io, signal: AbortSignal) {
  const sources = DATA.map((file) => [`dataset/${file}`, `datasets/quickstart/${file}`] as const)
  const files: Map<string, string | Uint8Array> = packageFiles([
    ['quickstart.yaml', 'configs/quickstart.yaml'],
    ...sources,
  ])
  const text = String(files.get('quickstart.yaml'))
    .replaceAll('../datasets/quickstart', 'dataset')
    .replace('npx touchstone run configs/', 'touchstone run ')
  files.set('quickstart.yaml', text)
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
