import type { Experiment, Race, Trial } from '../../config/experiment.ts'
import { fieldsOfQuery } from '../../corpus/filter.ts'
import { fieldOf } from '../../dataset/clusters.ts'
import type { Dataset, JudgedUnit } from '../../dataset/types.ts'
import type { Diagnostic } from '../../errors.ts'
import { didYouMean } from '../../text/nearest.ts'
import type { JudgedQuery } from '../../types.ts'

/** What of an experiment does not fit its queries; of none at all nothing is said. */
export function queryErrors(
  { trials, race, compare, file }: Experiment,
  { queries, judgedUnit }: Pick<Dataset, 'queries' | 'judgedUnit'>,
): Diagnostic[] {
  if (queries.length === 0) return []
  return [
    ...filterDiagnostics(trials, queries),
    ...raceDiagnostics(race, queries),
    ...clusterDiagnostics(compare.cluster, queries, judgedUnit).map((message) => ({ file, message })),
  ]
}

/** A cluster that no query has, or documents of chunks, which only a chunking tells. */
function clusterDiagnostics(
  cluster: string | undefined,
  queries: readonly JudgedQuery[],
  judgedUnit: JudgedUnit,
): string[] {
  if (cluster === undefined || cluster === 'gold') return []
  if (cluster === 'document')
    return judgedUnit === 'chunk'
      ? [
          '`compare.cluster`: gold of this dataset is chunks, whose documents it does not name; use `gold`, or a field of the metadata',
        ]
      : []
  if (queries.some((query) => fieldOf(query, cluster) !== null)) return []
  const known = ['gold', 'document', ...groupsOf(queries)]
  return [
    `\`compare.cluster\`: no query has \`${cluster}\`${didYouMean(cluster, known)}; there are ${known.join(', ')}`,
  ]
}

/** `category`, where a query has one, and the fields of the metadata. */
function groupsOf(queries: readonly JudgedQuery[]): string[] {
  return [...(queries.some(({ category }) => category !== null) ? ['category'] : []), ...fieldsOf(queries)]
}

/** Filters that read what no query's metadata have: they would leave every query nothing. */
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
  return [...new Map(diagnostics.map((diagnostic) => [JSON.stringify(diagnostic), diagnostic])).values()]
}

/** What of a race does not fit the queries: a first round of more than there are, blocks that no query has. */
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

/** The fields of the queries' metadata. */
function fieldsOf(queries: readonly JudgedQuery[]): string[] {
  return [...new Set(queries.flatMap(({ metadata }) => Object.keys(metadata)))].sort()
}
