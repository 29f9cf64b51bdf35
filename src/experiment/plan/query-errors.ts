import type { Experiment, Trial } from '../../config/experiment.ts'
import { fieldsOfQuery } from '../../corpus/filter.ts'
import { fieldOf } from '../../dataset/clusters.ts'
import type { Dataset } from '../../dataset/types.ts'
import { type Diagnostic, distinctDiagnostics } from '../../errors.ts'
import { didYouMean } from '../../text/nearest.ts'
import type { JudgedQuery } from '../../types.ts'

/** Diagnostics of config entries that do not fit the queries; none without queries. */
export function queryErrors(
  { trials, compare, file }: Experiment,
  { queries }: Pick<Dataset, 'queries'>,
): Diagnostic[] {
  if (queries.length === 0) return []
  return [
    ...filterDiagnostics(trials, queries),
    ...clusterDiagnostics(compare.cluster, queries).map((message) => ({ file, message })),
  ]
}

function clusterDiagnostics(cluster: string | undefined, queries: readonly JudgedQuery[]): string[] {
  if (cluster === undefined || cluster === 'gold' || cluster === 'document') return []
  if (queries.some((query) => fieldOf(query, cluster) !== null)) return []
  const categories = queries.some(({ category }) => category !== null) ? ['category'] : []
  const known = ['gold', 'document', ...categories, ...fieldsOf(queries)]
  return [
    `\`compare.cluster\`: no query has \`${cluster}\`${didYouMean(cluster, known)}; there are ${known.join(', ')}`,
  ]
}

const FIELDLESS =
  '`filter` lacks `where`, which only a dataset of conversations may leave out; as `{where: {source: [manual, faq]}}`'

/** Fields that no query has: every query would get no results. */
function filterDiagnostics(trials: readonly Trial[], queries: readonly JudgedQuery[]): Diagnostic[] {
  const known = fieldsOf(queries)
  const diagnostics = trials.flatMap(({ filter, location }) =>
    filter && Object.keys(filter.where).length === 0
      ? [{ ...location, message: FIELDLESS }]
      : (filter ? fieldsOfQuery(filter.where) : [])
          .filter((field) => !known.includes(field))
          .map((field) => ({
            ...location,
            message: `\`filter\`: no query has \`${field}\` in its metadata${didYouMean(field, known)}; ${known.length > 0 ? `there are ${known.join(', ')}` : 'they have none'}`,
          })),
  )
  return distinctDiagnostics(diagnostics)
}

function fieldsOf(queries: readonly JudgedQuery[]): string[] {
  return [...new Set(queries.flatMap(({ metadata }) => Object.keys(metadata)))].sort()
}
