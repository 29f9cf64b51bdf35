import { isMap } from '../text/json.ts'
import type { Json } from '../types.ts'
import { datasetName, withOwnPaths } from './datasets.ts'
import type { Experiment } from './experiment.ts'

export interface DatasetExperiment {
  readonly dataset: string
  /** Below the experiment's folder; unique. */
  readonly folder: string
  readonly experiment: Experiment
}

/** Names that an experiment's folder uses. */
const TAKEN = ['lock', 'plan.json', 'summary.json', 'manifest.json', 'timings']

/**
 * Cuts an experiment into one per dataset, each as the config would be with this dataset alone: same bytes, same hash.
 * With graphs from the datasets' folders, ids of trials are those of the first.
 */
export function splitDatasets(experiment: Experiment): DatasetExperiment[] {
  const { datasets, resolved } = experiment
  const taken = new Set(TAKEN)
  const prepare = isMap(resolved) && isMap(resolved.prepare) ? resolved.prepare : {}
  const namesGraph = prepare.graph !== undefined
  return datasets.map((choice, index) => {
    const dataset = datasetName(choice)
    const folder = folderName(dataset, taken)
    taken.add(folder.toLowerCase())
    return {
      dataset,
      folder,
      experiment: {
        ...experiment,
        datasets: [choice],
        recipes: namesGraph
          ? experiment.recipes
          : experiment.recipes.map((choices) => withOwnPaths(choices, datasets[0], choice)),
        resolved: only(resolved, index),
      },
    }
  })
}

/** Disks may ignore case. */
function folderName(dataset: string, taken: ReadonlySet<string>): string {
  const safe =
    dataset
      .replace(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/^[._-]+/, '')
      .slice(0, 80) || 'dataset'
  for (let number = 1; ; number++) {
    const name = number === 1 ? safe : `${safe}-${number}`
    if (!taken.has(name.toLowerCase())) return name
  }
}

function only(resolved: Json, index: number): Json {
  return isMap(resolved) && Array.isArray(resolved.dataset)
    ? ({ ...resolved, dataset: resolved.dataset[index] } as Json)
    : resolved
}
