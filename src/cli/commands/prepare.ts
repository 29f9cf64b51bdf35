import { performance } from 'node:perf_hooks'
import { openConfigs } from '../../library/open-config.ts'
import { askAboutCorpora } from '../../plan/ask-ahead.ts'
import { openLedger } from '../../plan/ledger.ts'
import { prepareAll } from '../../plan/open.ts'
import { requireParams } from '../../plan/require-params.ts'
import { unreadLines } from '../../plan/unread.ts'
import { ALLOW_EMPTY, defineCommand, ONLY, SET, STORE } from '../command.ts'

export const prepare = defineCommand({
  name: 'prepare',
  summary: 'chunk, embed and index a corpus; builds only what changed',
  args: { config: { value: 'CONFIG', summary: 'the YAML file' } },
  options: { set: SET, allowEmpty: ALLOW_EMPTY, store: STORE, only: ONLY },
  examples: ['touchstone prepare configs/quickstart.yaml'],
  interrupted: 'the same command resumes where it stopped',
  async run({ args, options, io, signal }) {
    const { experiment, opened } = await openConfigs(io, args.config, options)
    const experiments = opened.map(({ open }) => open)
    const counted = new Set<string>()
    // What several datasets share is built for the first of them.
    const missing = experiments.map(({ store, artifacts }) =>
      store.missing(artifacts).filter(({ key }) => !counted.has(key) && counted.add(key)),
    )
    const clock = () => performance.now()
    const ledger = openLedger(experiment.budget, clock)
    try {
      await askAboutCorpora(experiments, { signal, clock, ledger, progress: io.progress })
    } catch (error) {
      if (!signal.aborted) throw error
      io.err('stopped while asking models; what was answered is kept')
      return
    }
    await requireParams(experiments, io.progress)
    const datasets: { dataset: string; built: string[]; artifacts: number }[] = []
    for (const [position, { dataset, open }] of opened.entries()) {
      await prepareAll(open, io.progress)
      for (const line of await unreadLines(open)) io.err(`warning: ${line}`)
      const built = missing[position].map(({ name }) => name)
      datasets.push({ dataset, built, artifacts: open.artifacts.length })
      if (options.json) continue
      const of = opened.length > 1 ? `${dataset}: ` : ''
      io.out(`${of}${built.length > 0 ? `built ${built.join(', ')}` : 'everything is prepared already'}`)
    }
    if (!options.json) return
    const store = opened[0].open.store.root
    const [{ built, artifacts }] = datasets
    io.json(datasets.length > 1 ? { store, datasets } : { store, built, artifacts })
  },
})
