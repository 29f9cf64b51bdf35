import { rootsOf } from '../../experiment/compile.ts'
import { countSteps } from '../../experiment/count-steps.ts'
import { equalTrials } from '../../experiment/equal-trials.ts'
import { requireQueries } from '../../experiment/open.ts'
import { countTextsToEmbed } from '../../experiment/query-vectors.ts'
import { renderPlan } from '../../experiment/render-plan.ts'
import { defineCommand, SET } from '../command.ts'
import { ONLY, openConfig, STORE } from '../experiment.ts'

export const plan = defineCommand({
  name: 'plan',
  summary: 'what a run would compute: trials, distinct steps, texts to embed; writes nothing',
  args: { config: { value: 'CONFIG', summary: 'the YAML file' } },
  options: { set: SET, store: STORE, only: ONLY },
  examples: ['touchstone plan configs/quickstart.yaml'],
  async run({ args, options, io }) {
    const open = await openConfig(io, args.config, options)
    requireQueries(open)
    const { trials, dataset, store, artifacts, experiment } = open
    const steps = await countSteps(rootsOf(trials), dataset.queries)
    const missing = artifacts.filter((artifact) => !store.has(artifact)).map(({ name }) => name)
    const summary = {
      experiment: experiment.name,
      trials: trials.length,
      named: experiment.trials.length,
      equal: equalTrials(experiment, trials),
      queries: dataset.queries.length,
      steps,
      toPrepare: missing,
      toEmbed: await countTextsToEmbed(store, artifacts),
    }
    if (options.json) io.json(summary)
    else io.out(renderPlan(summary))
  },
})
