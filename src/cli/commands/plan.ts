import { performance } from 'node:perf_hooks'
import { equalTrials, rootsOf, withSeeds } from '../../experiment/plan/compile.ts'
import { countSteps } from '../../experiment/plan/count-steps.ts'
import { countAnswers } from '../../experiment/plan/estimates/answers.ts'
import { countCalls, type Estimate, openTally } from '../../experiment/plan/estimates/calls.ts'
import { countTextsToEmbed } from '../../experiment/plan/estimates/texts.ts'
import { requireQueries } from '../../experiment/plan/fit.ts'
import type { OpenExperiment } from '../../experiment/plan/open.ts'
import { requireParams } from '../../experiment/plan/prepare.ts'
import { type PlanSummary, renderPlan } from '../../experiment/plan/render-plan.ts'
import { estimateArtifacts, without } from '../../experiment/plan/requests.ts'
import { countCuts } from '../../experiment/plan/unread.ts'
import { openConfigs } from '../../library/open-config.ts'
import { printEstimates } from '../../library/print-estimates.ts'
import type { Progress } from '../../types.ts'
import { defineCommand } from '../command.ts'
import { CONFIG, configFile, LIMIT, ONLY, SET, STORE } from '../options.ts'

export default defineCommand({
  name: 'plan',
  summary:
    'estimate a run: trials, distinct steps, texts to embed with their time, model calls with tokens and dollars; builds chunks, graphs and term counts for that',
  args: { config: CONFIG },
  options: { set: SET, store: STORE, only: ONLY, limit: LIMIT },
  examples: ['touchstone plan configs/quickstart.yaml'],
  interrupted: 'prepared data is stored',
  async run({ args, options, io }) {
    const { experiment, opened } = await openConfigs(io, configFile(io.folder, args.config), options)
    for (const { open } of opened) requireQueries(open)
    const said = new Map<OpenExperiment, OpenExperiment>()
    for (const { open } of opened) said.set(open, await withoutUnsaid(open, io.progress))
    await requireParams([...said.values()], io.progress)
    for (const open of said.values())
      for (const line of await countCuts(open, io.progress)) io.err(`warning: ${line}`)
    const { needs, warnings } = await printEstimates(opened)
    for (const line of [...needs, ...warnings]) io.err(line)
    const plans: PlanSummary[] = []
    const counted = new Map<string, Set<string>>()
    for (const { open } of opened)
      plans.push(await planOf(open, said.get(open) ?? open, counted, io.progress))
    const named = plans.map((summary, at) => ({ dataset: opened[at].dataset, ...summary }))
    const isSeveral = plans.length > 1
    io.result(isSeveral ? { experiment: experiment.name, datasets: named } : plans[0], () =>
      plans
        .map((summary, at) => {
          const name = isSeveral ? `${experiment.name} on ${opened[at].dataset}` : experiment.name
          return renderPlan({ ...summary, experiment: name })
        })
        .join('\n\n'),
    )
  },
})

async function withoutUnsaid(open: OpenExperiment, progress: Progress): Promise<OpenExperiment> {
  return without(open, await estimateArtifacts(open, openTally().wrap('corpus'), progress))
}

/** `said`: the experiment without parts that depend on missing completions. */
async function planOf(
  open: OpenExperiment,
  said: OpenExperiment,
  counted: Map<string, Set<string>>,
  progress: Progress,
): Promise<PlanSummary> {
  const { trials, dataset, store, artifacts, experiment } = open
  const embedding = await countTextsToEmbed(said, counted, clock, progress)
  const toAsk = await estimateCalls(open)
  return {
    experiment: experiment.name,
    trials: trials.length,
    named: experiment.trials.length,
    routers: experiment.routers.map(({ name, arms }) => ({ name, arms: arms.map((arm) => arm.name) })),
    equal: equalTrials(experiment, trials),
    queries: dataset.queries.length,
    seeds: trials.flatMap(({ name, seeds }) => (seeds.length > 0 ? [{ name, seeds: 1 + seeds.length }] : [])),
    steps: await countSteps(rootsOf(withSeeds(trials)), dataset.queries),
    toPrepare: store.missing(artifacts).map(({ name }) => name),
    ...embedding,
    ...(toAsk.calls.length + toAsk.later.length > 0 && { toAsk }),
  }
}

const clock = () => performance.now()

async function estimateCalls(open: OpenExperiment): Promise<Estimate> {
  const tally = openTally()
  const later = await countCalls(open, tally, { clock, preparedOnly: true })
  await countAnswers(open, tally)
  return { calls: tally.rows(), later }
}
