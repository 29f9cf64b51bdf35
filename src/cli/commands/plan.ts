import { rootsOf } from '../../experiment/compile.ts'
import { countSteps } from '../../experiment/count-steps.ts'
import { equalTrials } from '../../experiment/equal-trials.ts'
import { type OpenExperiment, requireQueries } from '../../experiment/open.ts'
import { countTextsToEmbed } from '../../experiment/query-vectors.ts'
import { type PlanSummary, renderPlan } from '../../experiment/render-plan.ts'
import { defineCommand, SET } from '../command.ts'
import { ONLY, openConfigs, STORE } from '../experiment.ts'

export const plan = defineCommand({
  name: 'plan',
  summary: 'what a run would compute: trials, distinct steps, texts to embed; writes nothing',
  args: { config: { value: 'CONFIG', summary: 'the YAML file' } },
  options: { set: SET, store: STORE, only: ONLY },
  examples: ['touchstone plan configs/quickstart.yaml'],
  async run({ args, options, io }) {
    const { experiment, opened } = await openConfigs(io, args.config, options)
    for (const { open } of opened) requireQueries(open)
    const plans = await Promise.all(opened.map(({ open }) => planOf(open)))
    if (opened.length === 1) {
      if (options.json) io.json(plans[0])
      else io.out(renderPlan(plans[0]))
    } else if (options.json) {
      const datasets = opened.map(({ dataset }, place) => ({ dataset, ...plans[place] }))
      io.json({ experiment: experiment.name, datasets })
    } else
      io.out(
        opened
          .map(({ dataset }, place) =>
            renderPlan({ ...plans[place], experiment: `${experiment.name} on ${dataset}` }),
          )
          .join('\n\n'),
      )
  },
})

async function planOf(open: OpenExperiment): Promise<PlanSummary> {
  const { trials, dataset, store, artifacts, experiment } = open
  return {
    experiment: experiment.name,
    trials: trials.length,
    named: experiment.trials.length,
    equal: equalTrials(experiment, trials),
    queries: dataset.queries.length,
    steps: await countSteps(rootsOf(trials), dataset.queries),
    toPrepare: artifacts.filter((artifact) => !store.has(artifact)).map(({ name }) => name),
    toEmbed: await countTextsToEmbed(store, artifacts),
  }
}
