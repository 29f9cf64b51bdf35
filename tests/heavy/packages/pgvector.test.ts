import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { engineKinds } from '../../../src/engines/index.ts'
import { removeIndex } from '../../../src/engines/loaded.ts'
import kind from '../../../src/engines/pgvector.ts'
import { UserError } from '../../../src/errors.ts'
import { strategies } from '../../../src/retrieve/strategies/index.ts'
import { describeEngine, naiveIn, over, sharesOf } from '../../engines/engine-contract.ts'
import { shortPauses } from '../../engines/short-pauses.ts'
import { questions } from '../../fixtures/passages.ts'
import { evaluate, prepare } from '../../retrieve/strategies/prepared.ts'
import { temporaryFolder } from '../../temporary.ts'
import { servePostgres, startPostgres } from './postgres.ts'

await Promise.all([strategies.load(['naive', 'bm25']), engineKinds.load(['pgvector'])])

let postgres: Awaited<ReturnType<typeof startPostgres>>
shortPauses()
beforeAll(async () => {
  postgres = await startPostgres()
  vi.stubEnv('TOUCHSTONE_POSTGRES', postgres.url)
}, 60_000)
afterAll(async () => {
  vi.unstubAllEnvs()
  await postgres?.stop()
})

const pgvector = (params: Record<string, string | number | boolean> = {}) => ({ name: 'pgvector', params })
const search = (params: Record<string, string | number | boolean>, given = {}) =>
  naiveIn('pg', over({ pg: pgvector(params) }), given)

/** Number of scans of the indexes of a kind. */
async function scansOf(kind: string): Promise<number> {
  await postgres.database.exec('SELECT pg_stat_force_next_flush()')
  const { rows } = await postgres.database.query<{ n: number }>(
    `SELECT sum(idx_scan)::int AS n FROM pg_stat_user_indexes
     JOIN pg_indexes ON indexname = indexrelname WHERE indexdef LIKE '%USING ${kind}%'`,
  )
  return rows[0].n
}

async function tables(): Promise<string[]> {
  const { rows } = await postgres.database.query<{ relname: string }>(
    "SELECT relname FROM pg_class WHERE relname LIKE 'touchstone_%' AND relkind = 'r' ORDER BY relname",
  )
  return rows.map(({ relname }) => relname)
}

describe('pgvector', () => {
  describeEngine(() => ({ exact: pgvector({ index: 'exact' }), index: pgvector() }))

  it.each(['hnsw', 'ivfflat'])('%s is used, and finds nearly all', async (index) => {
    const shares = await sharesOf(search({ index }))
    expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeGreaterThan(0.9)
    expect(await scansOf(index)).toBeGreaterThanOrEqual(questions.length)
  })

  it('finds a table that is there already, and refuses one that is gone or was changed', async () => {
    const folder = temporaryFolder()
    const root = search({ index: 'exact' })
    await (await prepare(temporaryFolder(), [root])).close()
    const before = await tables()
    const store = await prepare(folder, [root])
    expect(await tables()).toEqual(before)
    for (const table of before) await postgres.database.exec(`DELETE FROM ${table} WHERE row = 0`)
    await expect(evaluate(store, root, questions.slice(0, 1))).rejects.toThrow(
      /does not hold the table touchstone_\w+ as it was prepared \(\d+ chunks, found \d+\)/,
    )
    await store.close()
    for (const table of before) await postgres.database.exec(`DROP TABLE ${table}`)
  })

  it('removes a table of its own, no other, and none that is not there', async () => {
    await postgres.database.exec('CREATE TABLE touchstone_foreign (row integer)')
    await expect(removeIndex(kind.server, 'touchstone_foreign')).rejects.toThrow(
      "the database in TOUCHSTONE_POSTGRES holds a table touchstone_foreign that is not Touchstone's; rename it",
    )
    await postgres.database.exec("COMMENT ON TABLE touchstone_foreign IS 'touchstone'")
    await removeIndex(kind.server, 'touchstone_foreign')
    expect(await tables()).not.toContain('touchstone_foreign')
    await removeIndex(kind.server, 'touchstone_foreign')
  })

  it('says what is missing, and never the connection string', async () => {
    const root = search({ m: 9 })
    vi.stubEnv('TOUCHSTONE_POSTGRES', undefined)
    await expect(prepare(temporaryFolder(), [root])).rejects.toThrow(
      'in the environment variable TOUCHSTONE_POSTGRES, which is not set',
    )
    vi.stubEnv('TOUCHSTONE_POSTGRES', 'postgres://me:hidden@127.0.0.1:9/none')
    const refused = await prepare(temporaryFolder(), [root]).catch((error: Error) => error.message)
    expect(refused).toBe('the database in TOUCHSTONE_POSTGRES does not answer (ECONNREFUSED)')
    vi.stubEnv('TOUCHSTONE_POSTGRES', 'postgres://me:hidden@127.0.0.1:99999/none')
    const unreadable = await prepare(temporaryFolder(), [root]).catch((error: Error) => error)
    expect(unreadable).toEqual(
      new UserError('the database in TOUCHSTONE_POSTGRES does not answer (ERR_INVALID_URL)'),
    )
    vi.stubEnv('TOUCHSTONE_POSTGRES', postgres.url)
    const parts = { ...over({ pg: pgvector() }), index: { name: 'sentences', params: {} } }
    expect(() => naiveIn('pg', parts)).toThrow('searches chunks whole')
  })

  it('ends the run where the database goes away: no query is to blame', async () => {
    const short = await servePostgres(postgres.database)
    vi.stubEnv('TOUCHSTONE_POSTGRES', short.url)
    const root = search({ index: 'exact' })
    const store = await prepare(temporaryFolder(), [root])
    await evaluate(store, root, questions.slice(0, 1))
    await short.stop()
    await expect(evaluate(store, root, questions.slice(1))).rejects.toThrow(UserError)
    vi.stubEnv('TOUCHSTONE_POSTGRES', postgres.url)
    await store.close()
  })
})
