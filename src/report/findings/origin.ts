import type { DatasetSummary, Finding } from '../../results/summary.ts'
import { originOfDrafted } from '../../text/drafted-origin.ts'
import type { SharedGold } from '../../types.ts'
import type { Board } from '../board.ts'
import { percent, plural, quantity } from '../numbers.ts'
import { note, warning } from './finding.ts'

/** Findings on queries and labels. */

type Datasets = Pick<Board, 'datasets'>

/** Prefix of a result on a sample; otherwise ''. */
export function sampleTitle({ datasets }: Datasets): string {
  const samples = datasets.flatMap(({ sample }) => sample ?? [])
  return samples.length === 0 ? '' : `SAMPLE of ${sizes(samples)} queries: `
}

export function sample({ datasets }: Datasets): Finding[] {
  const samples = datasets.flatMap(({ sample }) => sample ?? [])
  if (samples.length === 0) return []
  return warning(
    'Sample',
    `This is a sample of ${sizes(samples)} queries (drawn by category at random, seed ${samples[0].seed}), to see that everything works. Run the config without \`--limit\` for a result.`,
  )
}

function sizes(samples: readonly { readonly queries: number; readonly of: number }[]): string {
  return samples.map(({ queries, of }) => `${quantity(queries)} of ${quantity(of)}`).join(' and ')
}

export function synthetic({ datasets }: Datasets): Finding[] {
  const drafted = datasets.filter(({ synthetic }) => synthetic)
  if (drafted.length === 0) return []
  const counts = drafted.map(({ synthetic = 0, queries }) => `${quantity(synthetic)} of ${quantity(queries)}`)
  const origin = originOfDrafted(
    total(drafted, ({ synthetic = 0 }) => synthetic),
    total(drafted, ({ reviewed = 0 }) => reviewed),
  )
  return warning(
    'Synthetic questions',
    `${counts.join(' and ')} queries are synthetic: ${origin}. They tend to share words with their passages, so scores are high and lexical search looks better than it is. Check the decision on questions of people.`,
  )
}

export function missingGold({ datasets }: Datasets): Finding[] {
  const gold = total(datasets, (dataset) => dataset.gold)
  const missing = total(datasets, (dataset) => dataset.missing)
  const judged = total(datasets, (dataset) => dataset.judged)
  if (missing === 0) return []
  const evaluable = total(datasets, (dataset) => dataset.evaluability * dataset.judged) / judged
  return warning(
    'Missing gold',
    `${plural(missing, 'gold label')} of ${quantity(gold)} ${missing === 1 ? 'is' : 'are'} in no document of the corpus and ${missing === 1 ? 'counts' : 'count'} as not found. ${percent(evaluable)} % of the queries have all their gold in the corpus.`,
  )
}

export function unanswerable({ datasets }: Datasets): Finding[] {
  const count = total(datasets, (dataset) => dataset.unanswerable)
  if (count === 0) return []
  const queries = plural(count, 'unanswerable query', 'unanswerable queries')
  return note('Excluded', `${queries}, which have no relevant passage.`)
}

export function sharedGoldInWords({ by, queries, groups, largest }: SharedGold, of: number): string {
  const relation =
    by === 'gold' ? 'share gold with another query' : 'have gold in the same document as another query'
  return `${quantity(queries)} of ${plural(of, 'query', 'queries')} ${relation}, in ${plural(groups, 'group')} of up to ${quantity(largest)}, so they are not independent. \`compare.cluster: ${by}\` resamples groups instead of queries.`
}

/** Resampled clusters, or a warning that queries share gold. */
export function dependentQueries({ comparison, datasets }: Board): Finding[] {
  const cluster = comparison?.cluster
  const row = comparison?.rows[0]
  if (cluster !== undefined && row?.clusters !== undefined)
    return note(
      'Clusters',
      `Tests and intervals are of ${plural(row.clusters, 'cluster')} of ${plural(row.n, 'query', 'queries')} (\`compare.cluster: ${cluster}\`), not of single queries.`,
    )
  const lines = datasets.flatMap(({ shared, queries }) => (shared ? sharedGoldInWords(shared, queries) : []))
  if (cluster !== undefined || lines.length === 0) return []
  return warning(
    'Queries share gold',
    `${lines.join(' ')} Without it, intervals are too narrow and too many differences count as significant.`,
  )
}

function total(datasets: readonly DatasetSummary[], of: (dataset: DatasetSummary) => number): number {
  return datasets.reduce((sum, dataset) => sum + of(dataset), 0)
}
