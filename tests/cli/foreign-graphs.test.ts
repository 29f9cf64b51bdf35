import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeTable } from '../../src/tables/parquet.ts'
import { setUp } from './set-up.ts'

const TITLES = ['C', 'C++', 'C#', 'RITCHIE', 'STROUSTRUP']

/** A GraphRAG index over the towns: 4 communities and 5 reports, of which some name entities that are not there. */
function writeIndex(path: string): void {
  mkdirSync(path, { recursive: true })
  const file = (name: string) => join(path, `${name}.parquet`)
  writeTable(file('entities'), [
    { name: 'id', type: 'string', values: TITLES.map((_, row) => `e${row}`) },
    { name: 'title', type: 'string', values: TITLES },
    { name: 'type', type: 'string', values: TITLES.map(() => 'LANGUAGE') },
    { name: 'description', type: 'string', values: TITLES.map((title) => `what ${title} is`) },
    { name: 'text_unit_ids', type: 'strings', values: TITLES.map((_, row) => [`d${row}`]) },
  ])
  const pairs = [
    ['C', 'C++'],
    ['C++', 'C#'],
    ['C', 'RITCHIE'],
    ['C++', 'STROUSTRUP'],
    ['C', 'NOBODY'],
  ]
  writeTable(file('relationships'), [
    { name: 'source', type: 'string', values: pairs.map(([source]) => source) },
    { name: 'target', type: 'string', values: pairs.map(([, target]) => target) },
    { name: 'description', type: 'string', values: pairs.map((pair) => pair.join(' led to ')) },
    { name: 'weight', type: 'number', values: pairs.map(() => 1) },
    { name: 'text_unit_ids', type: 'strings', values: pairs.map(() => ['d0']) },
  ])
  writeTable(file('communities'), [
    { name: 'community', type: 'integer', values: [0, 1, 2, 3] },
    { name: 'level', type: 'integer', values: [0, 0, 1, 1] },
    { name: 'parent', type: 'integer', values: [-1, -1, 0, 1] },
    {
      name: 'entity_ids',
      type: 'strings',
      values: [['e0', 'e1', 'e2', 'e3', 'e4'], ['gone'], ['e0', 'e3'], ['e1', 'e4', 'gone']],
    },
  ])
  const reports = [0, 1, 2, 3, 9]
  writeTable(file('community_reports'), [
    { name: 'community', type: 'integer', values: reports },
    { name: 'title', type: 'string', values: reports.map((community) => `Report ${community}`) },
    { name: 'summary', type: 'string', values: reports.map(() => 'Languages and the town of glass.') },
    { name: 'rank', type: 'number', values: reports },
    {
      name: 'findings',
      type: 'records',
      fields: ['explanation', 'summary'],
      values: reports.map(() => [{ summary: 'glass', explanation: 'TownB1 lives by glass.' }]),
    },
  ])
}

const CONFIG = `dataset: towns
prepare:
  embedder: lsa
  graph: {graphrag: {path: index}}
  communities: {graphrag: {path: index}}
  reports: {graphrag: {path: index}}
trials: [graphrag-global, graphrag-local]
compare: {draws: 200}
`

const COMMUNITIES =
  'communities: graphrag: left out of the files: 1 communities without entities, 1 communities without parent, 1 unknown entities'
const REPORTS = 'reports: graphrag: left out of the files: 2 reports without community'

test('a GraphRAG index keeps titles apart by their signs, and says all that it leaves out', async () => {
  const { folder, call } = setUp(CONFIG)
  writeIndex(join(folder, 'index'))
  const prepared = await call('prepare', 'a.yaml')
  expect(prepared.err).toContain('note: graphrag: left out of the files: 1 dangling relationships\n')
  expect(prepared.err).toContain(`note: ${COMMUNITIES}\n`)
  expect(prepared.err).toContain(`note: ${REPORTS}\n`)
  expect(prepared.code).toBe(0)
  const ran = await call('run', 'a.yaml', '--workers', '1', '--out', 'x', '--report', 'x.html')
  expect(ran.code).toBe(0)
  expect(ran.err).toContain(COMMUNITIES)
  const summary = JSON.parse(readFileSync(join(folder, 'x', 'summary.json'), 'utf8'))
  const [{ counts, foreign }] = summary.indexes
  expect(counts).toMatchObject({
    ...{ entities: 5, relationships: 4, communities: 3, communityReports: 3 },
    ...{ 'communities: communitiesWithoutEntities': 1, 'reports: reportsWithoutCommunity': 2 },
  })
  expect(counts).not.toHaveProperty('graphrag: mergedNames')
  expect(foreign).toContain(REPORTS)
  expect(readFileSync(join(folder, 'x.html'), 'utf8')).toContain(REPORTS)
})

test('check opens a GraphRAG index: an index of another corpus is refused before anything is built', async () => {
  const { folder, call } = setUp(CONFIG)
  writeIndex(join(folder, 'index'))
  expect((await call('check', 'a.yaml')).code).toBe(0)
  writeTable(join(folder, 'index', 'entities.parquet'), [
    { name: 'id', type: 'string', values: ['e0'] },
    { name: 'title', type: 'string', values: ['C'] },
    { name: 'description', type: 'string', values: [''] },
    { name: 'text_unit_ids', type: 'strings', values: [['elsewhere']] },
  ])
  const foreign = await call('check', 'a.yaml')
  expect(foreign.code).toBe(2)
  expect(foreign.err).toMatch(/^a\.yaml:4:\d+: .*entities\.parquet belongs to another corpus/)
  expect(existsSync(join(folder, '.touchstone'))).toBe(false)
  rmSync(join(folder, 'index', 'relationships.parquet'))
  expect((await call('check', 'a.yaml')).err).toContain('relationships.parquet')
})

test('names of stored triples that become one entity are counted and named by check, prepare and plan', async () => {
  const passage = (id: string, ...names: string[]) =>
    `${JSON.stringify({ id, entities: names, triples: [[names[0], 'led to', names[1]]] })}\n`
  const { call } = setUp(
    'dataset: towns\nprepare: {embedder: lsa, graph: {openie: {path: t.jsonl}}}\ntrials: [lightrag]\n',
    {
      't.jsonl': passage('d0', 'C', 'C++', 'C#') + passage('d1', '.NET', 'NET') + passage('d2', 'Ada', 'ADA'),
    },
  )
  const merged = '5 names that differ by signs became 2 entities: "C" = "C#" = "C++"; ".NET" = "NET"'
  expect((await call('check', 'a.yaml')).out).toContain(`note: t.jsonl: ${merged}`)
  expect((await call('prepare', 'a.yaml')).err).toContain(`note: openie: ${merged}\n`)
  expect((await call('plan', 'a.yaml')).err).toContain(`note: openie: ${merged}\n`)
})

test("a custom extractor's exact names stay apart, and a link to another spelling dangles", async () => {
  const { folder, call } = setUp(
    'dataset: towns\nprepare: {embedder: lsa, graph: [./mine.mjs]}\ntrials: [lightrag]\ncompare: {draws: 200}\n',
    {
      'mine.mjs': `export default ({ z }) => ({
  name: 'mine', summary: 'languages', params: z.strictObject({}),
  extract: () => ({
    names: 'exact',
    mentions: ['C', 'C++', 'C#', 'Ada'].map((name) => ({ name, chunk: 0 })),
    links: [{ source: 'C', target: 'C++', chunk: 0 }, { source: 'c', target: 'C#', chunk: 0 }],
  }),
})`,
    },
  )
  expect((await call('run', 'a.yaml', '--workers', '1', '--out', 'x', '--report', 'x.html')).err).toContain(
    'note: mine: left out of the files: 1 dangling relationships',
  )
  const [{ counts }] = JSON.parse(readFileSync(join(folder, 'x', 'summary.json'), 'utf8')).indexes
  expect(counts).toMatchObject({ entities: 4, relationships: 1, 'mine: danglingRelationships': 1 })
})
