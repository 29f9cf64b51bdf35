import type { Summary } from '../../results/summary.ts'
import { type Standings, tokensOf } from '../standings.ts'
import { type Block, jsonBlock } from './encode.ts'

/** All trials in columns: for the heatmap, the downloads and the drill-down's paths. Means to six digits. */
export function packTrials({ trials, measures, primary }: Summary, { ranked, seen }: Standings): Block {
  const order = new Map((seen.length > 0 ? seen : ranked).map(({ id }, rank) => [id, rank + 1]))
  const round = (value: number | null) => (value === null ? null : Math.round(value * 1e6) / 1e6)
  return jsonBlock({
    id: trials.map(({ id }) => id),
    name: trials.map(({ name }) => name),
    strategy: trials.map(({ strategy }) => strategy),
    varied: trials.map(({ varied }) => varied),
    rank: trials.map(({ id }) => order.get(id) ?? null),
    means: Object.fromEntries(
      measures.map((measure) => [
        measure,
        trials.map((trial) => round(trial.measures[measure]?.mean ?? null)),
      ]),
    ),
    low: trials.map((trial) => round(trial.measures[primary]?.low ?? null)),
    high: trials.map((trial) => round(trial.measures[primary]?.high ?? null)),
    tokens: trials.map((trial) => round(tokensOf(trial))),
    /** Each trial's stages in order, for the path of a lost label. */
    stages: trials.map(({ funnel }) => funnel.map(({ stage }) => stage)),
    failures: trials.map(({ failures }) => failures),
  })
}
