import type { Recipe } from '../../corpus/recipe.ts'
import type { Artifact } from '../../store/artifact.ts'
import type { Json } from '../../types.ts'
import type { EngineIndex } from '../define.ts'
import {
  type Content,
  dimsProblems,
  type ExistingFields,
  type ExistingIndex,
  existingIndex,
} from '../existing.ts'
import type * as Lance from './client.ts'
import { asked, client, type LanceIndex, type LanceSearch, VERSION, wordsOf } from './table.ts'

/** A table of LanceDB that was there before. It is read alone. */

export function existingTexts(
  recipe: Recipe,
  uri: string,
  { existing, idField, textField }: ExistingFields,
): Artifact<EngineIndex<string>> {
  return existingIndex({
    ...of(recipe, 'lancedb_text', uri, existing, { idField, textField }),
    holds: 'texts',
    connect: () =>
      openExisting<string>(uri, existing, idField, textField, {
        indexed: 'FTS',
        problemsOf: () => [],
        search(table, text) {
          const words = wordsOf(text)
          return words.length === 0 ? undefined : table.query().fullTextSearch(words.join(' '), textField)
        },
        scoreOf: ({ _score }) => _score,
        score: '_score',
      }),
  })
}

export function existingVectors(
  recipe: Recipe,
  uri: string,
  { existing, idField, vectorField }: ExistingFields,
  index: LanceIndex['index'],
): Artifact<EngineIndex<Float32Array>> {
  const exact = index === 'exact'
  return existingIndex({
    ...of(recipe, 'lancedb', uri, existing, { idField, vectorField, exact }),
    holds: 'vectors',
    connect: () =>
      openExisting<Float32Array>(uri, existing, idField, vectorField, {
        indexed: exact ? undefined : 'IVF',
        problemsOf: (vector, content) =>
          dimsProblems(vector ? [...(vector as Iterable<number>)].length : undefined, content),
        search(table, vector, how) {
          const near = table.query().nearestTo(vector).column(vectorField).distanceType('cosine')
          const { probes, refine } = how as LanceSearch
          return exact ? near.bypassVectorIndex() : near.nprobes(probes).refineFactor(refine)
        },
        scoreOf: ({ _distance }) => 1 - _distance,
        score: '_distance',
      }),
  })
}

const of = (
  recipe: Recipe,
  name: string,
  uri: string,
  existing: string,
  params: Readonly<Record<string, Json>>,
) => ({
  ...{ recipe, name, kind: 'lancedb', place: { uri }, existing, params },
  who: `${uri}: the table ${existing}`,
})

interface Side<Q> {
  /** Beginning of the type of the index that a search needs; undefined if it needs none. */
  readonly indexed: string | undefined
  /** Differences of a row's value to the content. */
  problemsOf(value: unknown, content: Content): string[]
  /** A search; undefined if it finds nothing. */
  search(table: Lance.LanceClientTable, query: Q, how: Json): Lance.Query | undefined
  scoreOf(hit: Lance.LanceHit): number
  readonly score: string
}

async function openExisting<Q>(
  uri: string,
  name: string,
  idField: string,
  field: string,
  { indexed, problemsOf, search, scoreOf, score }: Side<Q>,
): Promise<ExistingIndex<Q>> {
  const lance = await client()
  const table = await asked(uri, async () => (await lance.connect(uri)).openTable(name))
  const idOf = (row: object) => String((row as Record<string, unknown>)[idField])
  const among = (ids: readonly string[]) => `${column(idField)} IN (${ids.map(literal).join(',')})`
  return {
    problems: (content) =>
      asked(uri, async () => {
        const rows = await table.query().select([field]).limit(1).toArray()
        const problems = problemsOf(rows[0] && (rows[0] as never)[field], content)
        if (indexed === undefined) return problems
        const index = (await table.listIndices()).find(
          ({ columns, indexType }) => columns.includes(field) && indexType.toUpperCase().startsWith(indexed),
        )
        if (!index) return [...problems, `has no index of the kind ${indexed} on ${field}`]
        const { distanceType } = (await table.indexStats(index.name)) ?? {}
        const other = `compares ${field} by ${distanceType}, not by cosine; \`index: exact\` needs no index`
        return distanceType && distanceType !== 'cosine' ? [...problems, other] : problems
      }),
    count: () => asked(uri, () => table.countRows()),
    // A version counts the changes of a table.
    identity: () => asked(uri, async () => [uri, await table.version()]),
    read: (ids, withContent) =>
      asked(uri, async () => {
        if (ids.length === 0) return new Map()
        const columns = withContent ? [idField, field] : [idField]
        const rows = await table.query().where(among(ids)).select(columns).limit(ids.length).toArray()
        return new Map(
          rows.map((row) => {
            const value = (row as never)[field] as string | Iterable<number> | null
            if (!withContent) return [idOf(row), {}]
            return [idOf(row), typeof value === 'string' ? { text: value } : { vector: value && [...value] }]
          }),
        )
      }),
    search: (query, depth, how, ids) =>
      asked(uri, async () => {
        const made = search(table, query, how)
        if (!made) return { ids: [], scores: [] }
        const found = await (ids ? made.where(among(ids)) : made)
          .limit(depth)
          .select([idField, score])
          .toArray()
        return { ids: found.map(idOf), scores: found.map(scoreOf) }
      }),
    version: async () => VERSION,
    close: async () => table.close(),
  }
}

const column = (name: string) => `\`${name}\``
const literal = (id: string) => `'${id.replaceAll("'", "''")}'`
