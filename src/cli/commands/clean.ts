import { basename, join, resolve } from 'node:path'
import { removeIndexOf } from '../../engines/index.ts'
import { collectDiagnostics, UserError } from '../../errors.ts'
import { type Column, terminalTable } from '../../report/table.ts'
import { datasetFolders } from '../../results/dataset-folders.ts'
import { readManifest, readSummary } from '../../results/read.ts'
import { listEntries, listVectors, removeEntries, type StoreEntry, unusedEntries } from '../../store/clean.ts'
import { requireStore } from '../../store/marker.ts'
import { shellWord } from '../../text/shown-path.ts'
import { defineCommand } from '../command.ts'

export const clean = defineCommand({
  args: {
    store: {
      value: 'STORE',
      summary:
        'folder of prepared tables and indexes, such as `.touchstone` next to a config; their indexes in engines are removed too, and nothing else is touched',
    },
  },
  options: {
    keep: {
      kind: 'list',
      value: 'EXPERIMENT',
      summary: 'keep the artifacts of this finished experiment; may be repeated',
    },
    all: { kind: 'flag', summary: 'remove everything, including vectors of servers and models' },
    yes: { kind: 'flag', short: 'y', summary: 'do not ask for confirmation' },
    dryRun: { kind: 'flag', summary: 'only show what would be removed' },
  },
  examples: [
    'touchstone clean configs/.touchstone --keep experiments/quickstart --dry-run',
    'touchstone clean configs/.touchstone --all --yes',
  ],
  async run({ args, options, io }) {
    if (options.all === options.keep.length > 0)
      throw new UserError('say which experiments to keep (--keep EXPERIMENT) or --all')
    const root = resolve(io.folder, args.store)
    requireStore(root)
    const entries = listEntries(root)
    const going = options.all
      ? [...entries, ...listVectors(root)]
      : unusedEntries(entries, options.keep.flatMap(keysOf(io.folder)))
    const bytes = going.reduce((sum, entry) => sum + entry.bytes, 0)
    const said = { store: root, removed: going.map(shown), bytes, dryRun: options.dryRun }
    const ends = options.dryRun || going.length === 0
    if (!options.yes && !ends) {
      if (!io.confirm)
        throw new UserError(
          `would remove ${total(going, bytes)} from ${root}, but there is no terminal to ask; to confirm: ${sameLine(args.store, options)} --yes`,
        )
      io.err(inWords(going, bytes, 'would be removed'))
      if (!(await io.confirm(`Remove ${total(going, bytes)} from ${root}?`))) {
        if (options.json) io.json({ ...said, removed: [], bytes: 0 })
        else io.out('nothing removed')
        return
      }
    }
    if (!ends) await remove(going)
    if (options.json) io.json(said)
    else io.out(inWords(going, bytes, options.dryRun ? 'would be removed' : 'removed'))
  },
})

/** Removes entries, and their indexes in engines. Throws a UserError for each index that cannot be removed; its folder stays. */
async function remove(going: readonly StoreEntry[]): Promise<void> {
  const diagnostics = collectDiagnostics()
  for (const entry of going) {
    await diagnostics.attemptAsync(
      async () => {
        await removeIndexOf(entry.folder)
        removeEntries([entry])
      },
      ({ message, ...at }) => ({
        file: entry.folder,
        ...at,
        message: `is still there, because its index in ${entry.name} was not removed: ${message}`,
      }),
    )
  }
  diagnostics.throwIfAny()
}

/** Command line that repeats this call. */
function sameLine(store: string, { keep, all }: { keep: readonly string[]; all: boolean }): string {
  const words = ['touchstone', 'clean', store, ...(all ? ['--all'] : keep.flatMap((one) => ['--keep', one]))]
  return words.map(shellWord).join(' ')
}

/** Keys in an experiment's manifest. Throws a UserError if it is not finished. */
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

function shown({ name, key, bytes }: StoreEntry) {
  return { name, key, bytes }
}

function inWords(going: readonly StoreEntry[], bytes: number, what: string): string {
  if (going.length === 0) return `nothing ${what}`
  return `${terminalTable(going, COLUMNS)}\n${what}: ${total(going, bytes)}`
}

const COLUMNS: readonly Column<StoreEntry>[] = [
  { head: '', left: true, text: ({ name }) => name },
  { head: '', left: true, text: ({ folder }) => basename(folder).slice(0, 12) },
  { head: '', text: ({ bytes }) => inBytes(bytes) },
]

function total(going: readonly StoreEntry[], bytes: number): string {
  return `${going.length} folders, ${inBytes(bytes)}`
}

function inBytes(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
