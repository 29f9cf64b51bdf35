import { performance } from 'node:perf_hooks'
import { askAboutCorpora } from '../../experiment/plan/ask-ahead.ts'
import { type CorpusChange, corpusChange } from '../../experiment/plan/corpus-change.ts'
import { buildMissing, requireParams } from '../../experiment/plan/prepare.ts'
import { trackSpending } from '../../experiment/plan/spending.ts'
import { countCuts, unreadLines } from '../../experiment/plan/unread.ts'
import { openConfigs } from '../../library/open-config.ts'
import { requireMemory } from '../../library/print-estimates.ts'
import { defineCommand } from '../command.ts'
import { CONFIG, configFile, ONLY, SET, STORE } from '../options.ts'

interface Prepared {
  readonly dataset: string
  readonly built: readonly string[]
  readonly artifacts: number
  readonly documents?: CorpusChange
}

export default defineCommand({
  name: 'prepare',
  summary: 'download models and datasets, chunk, embed and index; does only what is missing',
  args: { config: CONFIG },
  options: { set: SET, store: STORE, only: ONLY },
  examples: ['touchstone prepare configs/quickstart.yaml'],
  interrupted: 'prepared data is stored',
  async run({ args, options, io, signal }) {
    const { experiment, opened } = await openConfigs(io, configFile(io.folder, args.config), options)
    requireMemory(opened, 1)
    const experiments = opened.map(({ open }) => open)
    const counted = new Set<string>()
    // Artifacts of several datasets are built for the first.
    const missing = experiments.map(({ store, artifacts }) =>
      store.missing(artifacts).filter(({ key }) => !counted.has(key) && counted.add(key)),
    )
    const clock = () => performance.now()
    const spending = trackSpending(experiment.budget, clock)
    try {
      await askAboutCorpora(experiments, { signal, clock, spending, progress: io.progress })
    } catch (error) {
      if (!signal.aborted) throw error
      io.err('stopped while asking models; completions are stored')
      return
    }
    await requireParams(experiments, io.progress)
    const datasets: Prepared[] = []
    for (const [position, { dataset, open }] of opened.entries()) {
      for (const notice of open.dataset.notices) io.err(`note: ${notice}`)
      const made = await buildMissing(open, io.progress)
      const uncounted = await countCuts(open, io.progress)
      for (const line of [...uncounted, ...(await unreadLines(open))]) io.err(`warning: ${line}`)
      // An index that its engine has lost was not missing.
      const built = [...new Set([...missing[position], ...made])].map(({ name }) => name)
      const documents = await corpusChange(open)
      datasets.push({ dataset, built, artifacts: open.artifacts.length, ...(documents && { documents }) })
      if (options.json) continue
      const of = opened.length > 1 ? `${dataset}: ` : ''
      if (documents) io.out(`${of}documents since they were last prepared: ${changeLine(documents)}`)
      io.out(`${of}${built.length > 0 ? `built ${built.join(', ')}` : 'everything is prepared already'}`)
    }
    const store = opened[0].open.store.root
    const [{ dataset: _, ...only }] = datasets
    if (options.json) io.json(datasets.length > 1 ? { store, datasets } : { store, ...only })
  },
})

/** Counts of new, changed and removed documents, with the first five of each. */
function changeLine({ added, changed, removed }: CorpusChange): string {
  const kinds = Object.entries({ new: added, changed, gone: removed }).filter(([, ids]) => ids.length > 0)
  return kinds
    .map(
      ([kind, ids]) =>
        `${ids.length} ${kind} (${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ', ...' : ''})`,
    )
    .join(', ')
}
