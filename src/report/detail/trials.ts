import type { Summary, TrialSummary } from '../../results/summary.ts'
import { type Leaderboard, tokensOf } from '../leaderboard-rows.ts'
import { type Block, jsonBlock } from './encode.ts'

/** All trials in columns: for the heatmap, the downloads and the drill-down's paths. Means to six digits. */
export function packTrials({ trials, measures, primary }: Summary, { ranked, seen }: Leaderboard): Block {
  const order = new Map((seen.length > 0 ? seen : ranked).map(({ id }, rank) => [id, rank + 1]))
  const round = (value: number | null) => (value === null ? null : Math.round(value * 1e6) / 1e6)
  return jsonBlock({
    id: trials.map(({ id }) => id),
    name: trials.map(({ name }) => name),
    strategy: trials.map(({ strategy }) => strategy),
    varied: variedOf(trials),
    rank: trials.map(({ id }) => order.get(id) ?? null),
    means: Object.fromEntries(
      measures.map((measure) => [
        measure,
        trials.map((trial) => round(trial.measures[measure]?.mean ?? null)),
      ]),
    ),
    low: trials.map((trial) => round(trial.measures[primary]?.low ?? null)),
    high: trials.map((trial) => round(trial.measures[primary]?.high ?? null)),
    /** Queries after which a race stopped it; null where it was run on all. */
    stopped: trials.map(({ stopped }) => stopped?.after ?? null),
    tokens: trials.map((trial) => round(tokensOf(trial))),
    /** Each trial's stages in order, for the path of a lost label. */
    stages: trials.map(({ funnel }) => funnel.map(({ stage }) => stage)),
    failures: trials.map(({ failures }) => failures),
  })
}

/** Params that vary among the trials of a strategy, with defaults filled in. */
function variedOf(trials: readonly TrialSummary[]): TrialSummary['varied'][] {
  const names = new Map<string, Set<string>>()
  for (const { strategy, varied } of trials) {
    const own = names.get(strategy) ?? new Set()
    for (const name of Object.keys(varied)) own.add(name)
    names.set(strategy, own)
  }
  return trials.map(({ strategy, params, varied }) => {
    const all = [...(names.get(strategy) ?? [])].map((name) => [name, varied[name] ?? params[name]] as const)
    return Object.fromEntries(all.filter(([, value]) => value !== undefined))
  })
}
