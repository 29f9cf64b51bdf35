import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import type { Recipe } from '../../../src/corpus/recipe.ts'
import { UserError } from '../../../src/errors.ts'
import { defineBuiltInEmbedder } from '../../../src/models/embedder.ts'
import { find } from '../../../src/registry.ts'
import { createMemo } from '../../../src/retrieve/evaluate.ts'
import { sourceQuery } from '../../../src/retrieve/step.ts'
import { alone } from '../../../src/retrieve/strategies/define.ts'
import { strategies } from '../../../src/retrieve/strategies/index.ts'
import { derived } from '../../../src/store/artifact.ts'
import type { Ranking } from '../../../src/types.ts'
import { documentsOf, recipeOf } from '../../corpus/recipes.ts'
import { questions } from '../../fixtures/passages.ts'
import { startPostgres } from '../../postgres.ts'
import { temporaryFolder } from '../../temporary.ts'
import { evaluate, prepare, recipe } from './prepared.ts'

await strategies.load()

let postgres: Awaited<ReturnType<typeof startPostgres>>

beforeAll(async () => {
  postgres = await startPostgres()
  process.env.TOUCHSTONE_POSTGRES = postgres.url
}, 60_000)
afterAll(async () => {
  delete process.env.TOUCHSTONE_POSTGRES
  await postgres?.stop()
})

function retrieve(name: string, given: Record<string, unknown> = {}, over: Recipe = recipe) {
  const strategy = find(strategies, name)
  const params = strategy.params.parse(given) as never
  return strategy.retrieve({ query: sourceQuery(over), params, inner: alone }).ranking
}

async function rankings(store: Awaited<ReturnType<typeof prepare>>, name: string, given = {}) {
  const root = retrieve(name, given)
  const memo = createMemo(store, questions, () => 0)
  const cells = await memo.cells(root)
  const found = cells.map((cell) => {
    if (!cell || cell.failure) throw new Error(cell?.failure?.message)
    return cell.value as Ranking
  })
  return {
    found,
    shares: questions.map((_, place) => memo.facts([root], place).counters['share of the exact first 10']),
  }
}

/** How often the indexes of a kind were used. */
async function scansOf(kind: string): Promise<number> {
  await postgres.database.exec('SELECT pg_stat_force_next_flush()')
  const { rows } = await postgres.database.query<{ n: number }>(
    `SELECT sum(idx_scan)::int AS n FROM pg_stat_user_indexes
     JOIN pg_indexes ON indexname = indexrelname WHERE indexdef LIKE '%USING ${kind}%'`,
  )
  return rows[0].n
}

const rounded = ({ rows, scores }: Ranking) => [...rows].map((row, i) => [row, Number(scores[i].toFixed(4))])

describe('pgvector', () => {
  it('without an index ranks as the exact search here does', async () => {
    const roots = [retrieve('naive'), retrieve('pgvector', { index: 'exact' })]
    const store = await prepare(temporaryFolder(), roots)
    const exact = await evaluate(store, roots[0], questions)
    const { found, shares } = await rankings(store, 'pgvector', { index: 'exact' })
    for (const [place, ranking] of found.entries()) {
      expect(rounded(ranking)).toEqual(rounded(exact[place]).filter(([row]) => ranking.rows.includes(row)))
      expect(ranking.rows.length).toBeGreaterThan(0)
    }
    expect(new Set(shares)).toEqual(new Set([1]))
    await store.close()
  })

  it('without an index cuts chunks at equal distances as the exact search here does', async () => {
    const texts = ['The gull sleeps.', ...new Array(6).fill('The lighthouse of 1839.'), 'The bridge of iron.']
    const over = recipeOf(documentsOf(texts))
    const search = { index: 'exact', pool: 3 }
    const roots = [retrieve('naive', { pool: 3 }, over), retrieve('pgvector', search, over)]
    const store = await prepare(temporaryFolder(), roots)
    const query = [{ id: 'q', text: 'lighthouse of 1839', metadata: {} }]
    const [[here], [there]] = await Promise.all(roots.map((root) => evaluate(store, root, query)))
    expect([...there.rows]).toEqual([6, 5, 4])
    expect(rounded(there)).toEqual(rounded(here).slice(0, 3))
    await store.close()
  })

  it.each(['hnsw', 'ivfflat'])('%s finds nearly all of it, and says how much', async (index) => {
    const store = await prepare(temporaryFolder(), [retrieve('pgvector', { index })])
    const { shares } = await rankings(store, 'pgvector', { index })
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
    expect(mean).toBeGreaterThan(0.9)
    await store.close()
    expect(await scansOf(index)).toBeGreaterThanOrEqual(questions.length)
  })

  it('refuses a pool and a graph that pgvector cannot give', () => {
    expect(() => retrieve('pgvector', { pool: 1001 })).toThrow('must be 1000 or less with `index: hnsw`')
    expect(() => retrieve('pgvector', { m: 50 })).toThrow('must be 2 `m` or more, that is 100')
    expect(() => retrieve('pgvector', { pool: 1001, m: 50, index: 'ivfflat' })).not.toThrow()
  })

  it('refuses vectors that are too wide for an index, before a row is written', async () => {
    const embedder = defineBuiltInEmbedder({
      ...{ name: 'wide', summary: 'wide', params: z.strictObject({}), batch: 100 },
      artifact: () =>
        derived('wide', {}, () => ({
          ...{ model: 'wide', dims: 2001 },
          embed: async (texts: readonly string[]) => new Float32Array(2001 * texts.length).fill(2001 ** -0.5),
        })),
    })
    const over = { ...recipe, embedder: { name: 'wide', params: {}, definition: embedder } }
    const wide = (index: string) => prepare(temporaryFolder(), [retrieve('pgvector', { index }, over)])
    await expect(wide('hnsw')).rejects.toThrow('at most 2000 dims, these have 2001; `index: exact`')
    await (await wide('exact')).close()
  })

  it('finds a table that is there already, and refuses one that is gone or was changed', async () => {
    const folder = temporaryFolder()
    const root = retrieve('pgvector', { index: 'exact' })
    const before = await postgres.database.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM pg_class WHERE relname LIKE 'touchstone_%' AND relkind = 'r'",
    )
    const store = await prepare(folder, [root])
    const after = await postgres.database.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM pg_class WHERE relname LIKE 'touchstone_%' AND relkind = 'r'",
    )
    expect(after.rows).toEqual(before.rows)
    const { rows } = await postgres.database.query<{ relname: string }>(
      "SELECT relname FROM pg_class WHERE relname LIKE 'touchstone_%' AND relkind = 'r'",
    )
    for (const { relname } of rows)
      await postgres.database.exec(`COMMENT ON TABLE ${relname} IS 'touchstone: 3 chunks, 2 dims'`)
    await expect(evaluate(store, root, questions.slice(0, 1))).rejects.toThrow(
      /does not hold the table touchstone_\w+ as it was prepared/,
    )
    await store.close()
    for (const { relname } of rows) await postgres.database.exec(`DROP TABLE ${relname}`)
  })

  it('says what is missing, and never the connection string', async () => {
    const root = retrieve('pgvector', { urlEnv: 'NOWHERE' })
    await expect(prepare(temporaryFolder(), [root])).rejects.toThrow(
      'in the environment variable NOWHERE, which is not set',
    )
    vi.stubEnv('NOWHERE', 'postgres://me:hidden@127.0.0.1:9/none')
    const refused = await prepare(temporaryFolder(), [root]).catch((error: Error) => error.message)
    expect(refused).toBe('the database in NOWHERE does not answer (ECONNREFUSED)')
    vi.stubEnv('NOWHERE', 'postgres://me:hidden@127.0.0.1:99999/none')
    const unreadable = await prepare(temporaryFolder(), [root]).catch((error: Error) => error)
    expect(unreadable).toEqual(new UserError('the database in NOWHERE does not answer (ERR_INVALID_URL)'))
    expect(() =>
      retrieve('pgvector', {}, { ...recipe, index: { name: 'sentences', params: {} } } as never),
    ).toThrow('searches chunks whole')
  })
  it('ends the run where the database goes away: no query is to blame', async () => {
    const short = await startPostgres()
    vi.stubEnv('SHORT', short.url)
    const root = retrieve('pgvector', { urlEnv: 'SHORT', index: 'exact', exact: false })
    const store = await prepare(temporaryFolder(), [root])
    await evaluate(store, root, questions.slice(0, 1))
    await short.stop()
    await expect(evaluate(store, root, questions.slice(1))).rejects.toThrow(UserError)
    await store.close()
  })
})
