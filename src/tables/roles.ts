import { idError } from '../text/ids.ts'
import { didYouMean } from '../text/nearest.ts'
import { readGrade, readScore } from '../text/numbers.ts'

/** Roles of columns in tables of runs and qrels, decided from names and content. */

export interface ColumnRole {
  readonly name: string
  /**
   * Names of the column, the most trusted rank first; the very first is the one we write. Case and `-` for `_` do not
   * matter.
   */
  readonly names: readonly (readonly string[])[]
  readonly fits: (value: unknown) => boolean
  readonly optional?: boolean
  /** Columns whose lowest value is the best. */
  readonly opposites?: readonly string[]
  /** True for a column that changes no result and is not reported. */
  readonly isOnlyCompared?: boolean
}

const isId = (value: unknown) => idError(value) === undefined
const isAny = () => true

export const QUERY: ColumnRole = {
  name: 'query',
  // A column `query` mostly holds the question's text.
  names: [['query_id', 'qid', 'q_id', 'queryid', 'topic_id'], ['topic'], ['query']],
  fits: isId,
}
export const DOCUMENT: ColumnRole = {
  name: 'document',
  // PyTerrier's `docid` is a number of its index, next to the collection's `docno`.
  names: [
    ['document_id', 'docno', 'corpus_id', 'documentid', 'corpusid'],
    ['doc_id', 'passage_id', 'pid'],
    ['docid'],
    ['document', 'doc', 'id'],
  ],
  fits: isId,
}
export const SCORE: ColumnRole = {
  name: 'score',
  names: [['score'], ['sim', 'similarity']],
  opposites: ['distance', 'distances', 'dist', 'rank', 'position'],
  fits: (value) => readScore(value) !== undefined,
}
export const GRADE: ColumnRole = {
  name: 'grade',
  // Next to a `label`, a `score` may be some system's.
  names: [
    ['grade', 'relevance', 'rel'],
    ['score', 'label'],
  ],
  fits: (value) => readGrade(value) !== undefined,
}
export const GROUP: ColumnRole = { name: 'group', names: [['group']], fits: isAny, optional: true }
export const RANK: ColumnRole = {
  name: 'rank',
  names: [['rank']],
  fits: (value) => readScore(value) !== undefined,
  optional: true,
  isOnlyCompared: true,
}
export const NAME: ColumnRole = {
  name: 'run',
  names: [['run', 'tag', 'run_id']],
  fits: isAny,
  optional: true,
}

/** Ids that the other files hold: a column that shares none with them loses. */
export interface KnownIds {
  readonly query?: (id: string) => boolean
  readonly document?: (id: string) => boolean
}

/** True if the fields are a header of a run or of qrels: two names of roles, or a query's and no number. */
export function isHeader(fields: readonly string[]): boolean {
  const roles = [QUERY, DOCUMENT, SCORE, GRADE].filter(({ names }) => ranked(fields, names.flat()).length > 0)
  const first = ranked(fields.slice(0, 1), QUERY.names.flat()).length > 0
  const named = new Set(roles.flatMap(({ names }) => ranked(fields, names.flat())))
  return named.size >= 2 || (first && fields.every((field) => readScore(field.trim()) === undefined))
}

export function hasRole(header: readonly string[], { names }: ColumnRole): boolean {
  return ranked(header, names.flat()).length > 0
}

/**
 * Chooses the column of each role by content, then by the rank of its name; -1 for an absent optional one. `read` names the columns, ''
 * if all names are our own. Two columns of one rank that differ are a diagnostic, after which the result is undefined.
 */
export function assignColumns(
  header: readonly string[],
  roles: readonly ColumnRole[],
  valuesOf: (column: number) => readonly unknown[],
  knownIds: KnownIds = {},
  wrong: (message: string) => void,
): { readonly indexes: readonly number[]; readonly read: string } | undefined {
  const reported: string[] = []
  let plain = true
  const inverted = ({ names }: ColumnRole, index: number) =>
    `\`${header[index]}\` is best where it is lowest: write its negative values into a column \`${names[0][0]}\``
  const choose = (role: ColumnRole): number | undefined => {
    const candidates = role.names.flatMap((rank) => ranked(header, rank))
    if (candidates.length === 0) {
      if (role.optional) return -1
      const opposite = ranked(header, role.opposites ?? [])[0]
      if (opposite !== undefined)
        return void wrong(`has no column \`${role.names[0][0]}\`, and ${inverted(role, opposite)}`)
      const others = header.filter((name) => !roles.some((other) => hasRole([name], other)))
      const near = others.map((name) => didYouMean(name, role.names.flat())).find((hint) => hint !== '') ?? ''
      return void wrong(
        `has no column \`${role.names[0][0]}\`${near}; ${listed(header)}; rename the one that holds it`,
      )
    }
    const best = bestOf(candidates, role, valuesOf, knownIds[role.name as keyof KnownIds])
    const rank = role.names.find((names) => ranked(header, names).includes(best[0])) ?? []
    const rivals = best.filter(
      (column) => ranked(header, rank).includes(column) && !isSame(valuesOf(column), valuesOf(best[0])),
    )
    if (rivals.length > 0) {
      const names = [best[0], ...rivals].map((column) => `\`${header[column]}\``).join(' or ')
      return void wrong(`the ${role.name} can be ${names}; rename those that are not meant`)
    }
    if (role.name === GRADE.name) {
      const names = [...new Set(valuesOf(best[0]))].filter((value) => value !== null && value !== '')
      if (names.length > 1 && names.every((name) => typeof name === 'string' && /^\p{L}/u.test(name)))
        return void wrong(
          `\`${header[best[0]]}\` has names in place of grades: ${names.slice(0, 8).join(', ')}; write a whole number for each, 0 for what is not relevant`,
        )
    }
    if (role.isOnlyCompared) return best[0]
    const losers = candidates.filter((column) => column !== best[0]).map((column) => `\`${header[column]}\``)
    if (normal(header[best[0]]) !== role.names[0][0] || losers.length > 0) plain = false
    reported.push(
      `${role.name} from \`${header[best[0]]}\`${losers.length > 0 ? ` (not ${losers.join(', ')})` : ''}`,
    )
    return best[0]
  }
  if (header.length > 0 && !roles.some((role) => hasRole(header, role))) {
    const needed = roles.filter(({ optional }) => !optional).map(({ names }) => `\`${names[0][0]}\``)
    return void wrong(`has no column of a known name; ${listed(header)}; name them ${needed.join(', ')}`)
  }
  const indexes = roles.map(choose)
  if (indexes.includes(undefined)) return undefined
  return { indexes: indexes as number[], read: plain ? '' : reported.join(', ') }
}

/** The candidates that the content speaks for; all if it speaks for none. */
function bestOf(
  candidates: readonly number[],
  { fits }: ColumnRole,
  valuesOf: (column: number) => readonly unknown[],
  knows?: (id: string) => boolean,
): readonly number[] {
  if (candidates.length === 1) return candidates
  const sound = candidates.filter((column) => valuesOf(column).every(fits))
  const fitting = sound.length > 0 ? sound : candidates
  const met = knows ? fitting.filter((column) => valuesOf(column).some((value) => knows(String(value)))) : []
  return met.length > 0 ? met : fitting
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.every((value, row) => String(value) === String(b[row]))
}

function ranked(header: readonly string[], names: readonly string[]): number[] {
  const normals = header.map(normal)
  return names.flatMap((name) => normals.flatMap((other, index) => (other === name ? [index] : [])))
}

function normal(name: string): string {
  return name.trim().toLowerCase().replaceAll(/[-\s]/g, '_')
}

function listed(header: readonly string[]): string {
  return `its columns are ${header.map((name) => `\`${name}\``).join(', ')}`
}
