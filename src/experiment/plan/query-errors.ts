import type { Experiment, Race, Trial } from '../../config/experiment.ts'
import { fieldsOfQuery } from '../../corpus/filter.ts'
import { fieldOf } from '../../dataset/clusters.ts'
import type { Dataset } from '../../dataset/types.ts'
import { type Diagnostic, distinctDiagnostics } from '../../errors.ts'
import { didYouMean } from '../../text/nearest.ts'
import type { JudgedQuery } from '../../types.ts'

/** Diagnostics of config entries that do not fit the queries; empty without queries. */
export function queryErrors(
  { trials, race, compare, file }: Experiment,
  { queries }: Pick<Dataset, 'queries'>,
): Diagnostic[] {
  if (queries.length === 0) return []
  return [
    ...filterDiagnostics(trials, queries),
    ...raceDiagnostics(race, queries),
    ...clusterDiagnostics(compare.cluster, queries).map((message) => ({ file, message })),
  ]
}

/** Diagnostics of a `cluster` that no query has. */
function clusterDiagnostics(cluster: string | undefined, queries: readonly JudgedQuery[]): string[] {
  if (cluster === undefined || cluster === 'gold' || cluster === 'document') return []
  if (queries.some((query) => fieldOf(query, cluster) !== null)) return []
  const known = ['gold', 'document', ...groupsOf(queries)]
  return [
    `\`compare.cluster\`: no query has \`${cluster}\`${didYouMean(cluster, known)}; there are ${known.join(', ')}`,
  ]
}

/** Possible values of `cluster`: `category`, if a query has one, and the metadata fields. */
function groupsOf(queries: readonly JudgedQuery[]): string[] {
  return [...(queries.some(({ category }) => category !== null) ? ['category'] : []), ...fieldsOf(queries)]
}

/** Diagnostics of filters on fields that no query's metadata has: every query would get no results. */
function filterDiagnostics(trials: readonly Trial[], queries: readonly JudgedQuery[]): Diagnostic[] {
  const known = fieldsOf(queries)
  const diagnostics = trials.flatMap(({ filter, location }) =>
    (filter ? fieldsOfQuery(filter.where) : [])
      .filter((field) => !known.includes(field))
      .map((field) => ({
        ...location,
        message: `\`filter\`: no query has \`${field}\` in its metadata${didYouMean(field, known)}; ${known.length > 0 ? `there are ${known.join(', ')}` : 'they have none'}`,
      })),
  )
  return distinctDiagnostics(diagnostics)
}

/** Diagnostics of a race: a first round larger than the number of queries, or blocks that no query has. */
function raceDiagnostics(race: Race | null, queries: readonly JudgedQuery[]): Diagnostic[] {
  if (!race) return []
  const { firstTest, blocks, locations } = race
  const diagnostics: Diagnostic[] = []
  if (firstTest > queries.length)
    diagnostics.push({
      ...locations.firstTest,
      message: `\`firstTest\`: the first round is of ${firstTest} queries, and there are ${queries.length}`,
    })
  if (blocks !== null && queries.every((query) => fieldOf(query, blocks) === null)) {
    const known = groupsOf(queries)
    diagnostics.push({
      ...locations.blocks,
      message: `\`blocks\`: no query has \`${blocks}\`${didYouMean(blocks, known)}; ${known.length > 0 ? `there are ${known.join(', ')}` : 'they have neither a category nor metadata'}`,
    })
  }
  return diagnostics
}

/** Metadata fields of the queries. */
function fieldsOf(queries: readonly JudgedQuery[]): string[] {
  return [...new Set(queries.flatMap(({ metadata }) => Object.keys(metadata)))].sort()
}
