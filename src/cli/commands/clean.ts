import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { UserError } from '../../errors.ts'
import { datasetFolders } from '../../results/dataset-folders.ts'
import { readManifest, readSummary } from '../../results/read.ts'
import { type Entry, listEntries, removeEntries, unusedEntries } from '../../store/clean.ts'
import { defineCommand } from '../command.ts'
import { table } from '../table.ts'

export const clean = defineCommand({
  name: 'clean',
  summary: 'remove from a store what no experiment that you name was made from',
  args: {
    store: {
      value: 'STORE',
      summary: 'the folder of prepared tables and indexes: `.touchstone` beside a config',
    },
  },
  options: {
    keep: {
      kind: 'list',
      value: 'EXPERIMENT',
      summary: 'a finished experiment whose tables and indexes stay; may be repeated',
    },
    all: { kind: 'flag', summary: 'remove everything, and the vectors that servers and models gave' },
    dryRun: { kind: 'flag', summary: 'only say what would be removed' },
  },
  examples: [
    'touchstone clean configs/.touchstone --keep experiments/quickstart --dry-run',
    'touchstone clean configs/.touchstone --all',
  ],
  async run({ args, options, io }) {
    if (options.all === options.keep.length > 0)
      throw new UserError('say which experiments to keep (--keep EXPERIMENT) or --all')
    const root = resolve(io.folder, args.store)
    if (!existsSync(root)) throw new UserError({ file: root, message: 'there is no such folder' })
    const entries = listEntries(root)
    if (entries.length === 0)
      throw new UserError({ file: root, message: 'holds no prepared tables or indexes: is it a store?' })
    const going = options.all ? entries : unusedEntries(entries, options.keep.flatMap(keysOf(io.folder)))
    const bytes = going.reduce((sum, entry) => sum + entry.bytes, 0)
    if (!options.dryRun) removeEntries(going)
    if (options.json) io.json({ store: root, removed: going.map(shown), bytes, dryRun: options.dryRun })
    else io.out(inWords(going, bytes, options.dryRun))
  },
})

/** The keys that an experiment's manifest names. Throws a UserError where it is not finished. */
function keysOf(folder: string): (experiment: string) => string[] {
  return (experiment) => {
    const at = resolve(folder, experiment)
    const datasets = datasetFolders(at)?.map((own) => join(at, own)) ?? [at]
    return datasets.flatMap((one) => {
      readSummary(one)
      return Object.values(readManifest(one).artifacts)
    })
  }
}

function shown({ name, key, bytes }: Entry) {
  return { name, key, bytes }
}

function inWords(going: readonly Entry[], bytes: number, dryRun: boolean): string {
  const what = dryRun ? 'would be removed' : 'removed'
  if (going.length === 0) return `nothing ${what}`
  const rows = going.map((entry) => [entry.name, entry.key?.slice(0, 12) ?? 'cache', inBytes(entry.bytes)])
  return `${table(rows, { columns: Number.POSITIVE_INFINITY, right: [2] })}\n${what}: ${going.length} folders, ${inBytes(bytes)}`
}

function inBytes(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
