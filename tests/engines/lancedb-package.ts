import { setImmediate } from 'node:timers/promises'
import type * as Lance from '../../src/engines/lancedb/client.ts'
import { cosine } from './chroma-package.ts'

/**
 * The package `@lancedb/lancedb` over tables in memory, as far as Touchstone uses it: its indexes find what a full search
 * finds. The heavy suite runs the real one.
 */

type Row = Readonly<Record<string, unknown>>
interface Made {
  readonly column: string
  readonly indexType: string
  readonly distanceType?: string | undefined
  /** Rows that the index covers. */
  readonly rows: number
}
/** Calls of a query's methods, by name. */
type Calls = Readonly<Record<string, readonly unknown[]>>

export class FakeTable {
  rows: Row[]
  indexes: Made[] = []
  changes = 1
  closed = 0
  constructor(rows: readonly Row[]) {
    this.rows = [...rows]
  }
}

type VectorQuery = ReturnType<Lance.Query['nearestTo']>

export function lancePackage() {
  /** Tables by folder or bucket. */
  const databases = new Map<string, Map<string, FakeTable>>()
  const searches: Calls[] = []
  const state: { fail: Error | undefined; hits: readonly Row[] | undefined } = {
    ...{ fail: undefined, hits: undefined },
  }

  /** A write takes longer than a read: a caller that does not wait for it reads the state before. */
  const write = <T>(right: () => T) => answer(right, 3)
  async function answer<T>(right: () => T, turns = 1): Promise<T> {
    for (let turn = turns; turn > 0; turn--) await setImmediate()
    if (state.fail) throw state.fail
    return right()
  }

  const clientOf = (table: FakeTable): Lance.LanceClientTable => ({
    add: (rows) =>
      write(() => {
        table.rows.push(...rows)
        table.changes++
      }),
    createIndex: (column, { config }) =>
      write(() => {
        const { indexType, distanceType } = config.inner as Made
        table.indexes.push({ column, indexType, distanceType, rows: table.rows.length })
        table.changes++
      }),
    countRows: () => answer(() => table.rows.length),
    indexStats: (name) =>
      answer(() => {
        const index = table.indexes.find(({ column }) => `${column}_idx` === name)
        if (!index) return undefined
        const { distanceType, rows } = index
        return { numUnindexedRows: table.rows.length - rows, ...(distanceType && { distanceType }) }
      }),
    listIndices: () =>
      answer(() =>
        table.indexes.map(({ column, indexType }) => ({
          ...{ name: `${column}_idx`, indexType, columns: [column] },
        })),
      ),
    version: () => answer(() => table.changes),
    query: () => queryOf(table, {}),
    close: () => {
      table.closed++
    },
  })

  function queryOf(table: FakeTable, calls: Calls): VectorQuery {
    const methods = [
      ...['nearestTo', 'fullTextSearch', 'where', 'select', 'limit', 'column'],
      ...['distanceType', 'bypassVectorIndex', 'nprobes', 'refineFactor'],
    ]
    const query = Object.fromEntries(
      methods.map((name) => [name, (...given: unknown[]) => queryOf(table, { ...calls, [name]: given })]),
    )
    const toArray = () =>
      answer(() => {
        searches.push(calls)
        return [...(state.hits ?? hitsOf(table, calls))] as unknown as Lance.LanceHit[]
      })
    return { ...query, toArray } as unknown as VectorQuery
  }

  const index = (indexType: string) => (options?: { readonly distanceType: string }) => ({
    inner: { indexType, ...options },
  })
  const exported: Lance.Client = {
    connect: (uri) =>
      answer(() => {
        const tables = databases.get(uri) ?? new Map<string, FakeTable>()
        databases.set(uri, tables)
        return {
          createTable: (name, rows) =>
            write(() => {
              const table = new FakeTable(rows)
              tables.set(name, table)
              return clientOf(table)
            }),
          openTable: (name) =>
            answer(() => {
              const table = tables.get(name)
              if (!table) throw new Error(`Table '${name}' was not found\nCaused by: a file that is missing`)
              return clientOf(table)
            }),
          tableNames: ({ limit } = { limit: 10 }) => answer(() => [...tables.keys()].sort().slice(0, limit)),
          dropTable: (name) =>
            write(() => {
              tables.delete(name)
            }),
        }
      }),
    Index: { ivfRq: index('IvfRq'), ivfPq: index('IvfPq'), fts: index('FTS') },
  }
  return { exported: { ...exported } as Readonly<Record<string, unknown>>, databases, searches, state }
}

/** Rows that a query finds, with the columns that it selects. Filters come before the search. */
function hitsOf({ rows, indexes }: FakeTable, calls: Calls): Row[] {
  const [limit = 10] = (calls.limit ?? []) as number[]
  const [columns] = (calls.select ?? []) as string[][]
  const kept = rows.filter((row) => !calls.where || isAmong(row, String(calls.where[0])))
  const scored = calls.nearestTo
    ? nearest(kept, calls.nearestTo[0] as Float32Array, String(calls.column?.[0] ?? 'vector'))
    : calls.fullTextSearch
      ? matching(kept, String(calls.fullTextSearch[0]), calls.fullTextSearch[1] ?? indexes[0].column)
      : kept
  return scored
    .slice(0, limit)
    .map((row) => (columns ? Object.fromEntries(columns.map((name) => [name, row[name]])) : row))
}

/** A condition such as "row IN (1,2)", or "`id` IN ('a','b')" with doubled quotes. */
function isAmong(row: Row, condition: string): boolean {
  const [, column, list] = /^`?(\w+)`? IN \((.*)\)$/s.exec(condition) ?? []
  const values = [...list.matchAll(/'((?:[^']|'')*)'|(\d+)/g)].map(
    ([, text, number]): unknown => text?.replaceAll("''", "'") ?? Number(number),
  )
  return values.includes(row[column])
}

function nearest(rows: readonly Row[], vector: Float32Array, column: string): Row[] {
  return rows
    .map((row) => ({ ...row, _distance: 1 - cosine(vector, row[column] as Float32Array) }))
    .sort((a, b) => a._distance - b._distance)
}

/** Rows with any of the words, by the number of words that they have; as the real one, by whole words in any case. */
function matching(rows: readonly Row[], words: string, column: unknown): Row[] {
  const tokens = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const asked = tokens(words)
  return rows
    .map((row) => {
      const there = new Set(tokens(String(row[String(column)])))
      return { ...row, _score: asked.filter((word) => there.has(word)).length }
    })
    .filter(({ _score }) => _score > 0)
    .sort((a, b) => b._score - a._score)
}
