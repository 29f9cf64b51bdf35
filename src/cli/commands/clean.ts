import { basename } from 'node:path'
import { removeIndexOf } from '../../engines/index.ts'
import { collectDiagnostics, UserError } from '../../errors.ts'
import { megabytes } from '../../hub/download.ts'
import { type Column, terminalTable } from '../../report/table.ts'
import { readManifest } from '../../results/read.ts'
import {
  listEntries,
  listVectors,
  removeEntries,
  requireStore,
  type StoreEntry,
  unusedEntries,
} from '../../store/folder.ts'
import { defineCommand, flag, list } from '../command.ts'
import { finishedFolders, removeCompletions, unusedCompletions } from '../completions.ts'

export default defineCommand({
  name: 'clean',
  summary: 'remove everything from a store that the experiments you list do not use',
  args: {
    store: {
      value: 'STORE',
      summary:
        'folder of prepared tables and indexes, such as `.touchstone` next to a config; their indexes in engines are removed too, and nothing else is touched',
    },
  },
  options: {
    keep: list('EXPERIMENT', 'keep the artifacts of this finished experiment; may be repeated'),
    all: flag('remove everything, including vectors of servers and models'),
    completions: flag('remove stored completions of language models in place of artifacts'),
    failed: flag('remove only failed requests to language models; the next run makes them again'),
    yes: flag('remove without a question; without it and without a terminal, only shows what would go', 'y'),
  },
  examples: [
    'touchstone clean configs/.touchstone --keep experiments/quickstart',
    'touchstone clean configs/.touchstone --all --yes',
    'touchstone clean configs/.touchstone --completions --keep experiments/quickstart',
  ],
  async run({ args, options, io }) {
    const { failed } = options
    const ofCompletions = options.completions || failed
    if (options.all ? options.keep.length > 0 : options.keep.length === 0 && !failed)
      throw new UserError('say which experiments to keep (--keep EXPERIMENT) or --all')
    const root = io.path(args.store)
    requireStore(root)
    const keep = options.keep.map(io.path)
    const going = ofCompletions
      ? unusedCompletions(root, { keep, failed })
      : options.all
        ? [...listEntries(root), ...listVectors(root)]
        : unusedEntries(
            listEntries(root),
            keep.flatMap(finishedFolders).flatMap((folder) => Object.values(readManifest(folder).artifacts)),
          )
    const total = () => `${going.length} ${ofCompletions ? 'completions' : 'folders'}, ${megabytes(bytes)}`
    const inWords = (outcome: string) => {
      if (going.length === 0) return `nothing ${outcome}`
      const table = ofCompletions ? '' : `${terminalTable(going, COLUMNS)}\n`
      return `${table}${outcome}: ${total()}`
    }
    const bytes = going.reduce((sum, entry) => sum + entry.bytes, 0)
    const dryRun = !options.yes && !io.confirm
    const removed = going.map(({ name, key, bytes }) => ({ name, key, bytes }))
    const said = { store: root, removed, bytes, dryRun }
    const ends = dryRun || going.length === 0
    if (!options.yes && !ends) {
      io.err(inWords('would be removed'))
      if (!(await io.confirm?.(`Remove ${total()} from ${root}?`))) {
        return io.result({ ...said, removed: [], bytes: 0 }, 'nothing removed')
      }
    }
    if (!ends) await (ofCompletions ? removeCompletions(going) : remove(going))
    const isShown = dryRun && going.length > 0
    io.result(said, inWords(isShown ? 'would be removed' : 'removed'))
    if (isShown) io.err('to remove them, give --yes too')
  },
})

/**
 * Removes entries, and their indexes in engines. Throws a UserError for each index that stays; its folder stays
 * too.
 */
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

const COLUMNS: readonly Column<StoreEntry>[] = [
  { head: '', left: true, text: ({ name }) => name },
  { head: '', left: true, text: ({ folder }) => basename(folder).slice(0, 12) },
  { head: '', text: ({ bytes }) => megabytes(bytes) },
]
