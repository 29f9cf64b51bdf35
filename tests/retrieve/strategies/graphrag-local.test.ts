import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { embedder } from '../../../src/corpus/dense/embeddings.ts'
import { graph } from '../../../src/corpus/graph/artifacts.ts'
import { communitiesTable } from '../../../src/corpus/graph/communities/assemble.ts'
import { membersOf } from '../../../src/corpus/graph/csr.ts'
import { communityReports } from '../../../src/corpus/graph/reports/assemble.ts'
import { citeListed } from '../../../src/retrieve/steps/entities.ts'
import type { Evidence } from '../../../src/types.ts'
import { evaluate, listBehind, prepare, recipe, retrieved } from './prepared.ts'

const folder = mkdtempSync(join(tmpdir(), 'touchstone-local-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const TEXT = 'Who taught Dara Quill to sail?'

/** Evidence of graphrag-local for one question (the whole list of graphrag-local-simple), and the store that it was read from. */
async function cited(name: string, params: object) {
  const output = retrieved(name, params)
  if (!output.evidence) throw new Error('there is no evidence')
  const { ranking } = output
  const evidence =
    name === 'graphrag-local-simple' ? citeListed([listBehind(output.evidence, 1000)], null) : output.evidence
  const query = embedder(recipe, recipe.embedder, 'query')
  const store = await prepare(folder, [ranking, evidence])
  await store.prepare(query)
  const [found] = await evaluate(store, evidence, [{ id: 'q', text: TEXT, metadata: {} }])
  const open = await store.open(graph(recipe))
  return { store, query, graph: open, found: found as readonly Evidence[] }
}

const textsOf = (found: readonly Evidence[], kind: Evidence['kind']) =>
  found.filter((one) => one.kind === kind).map(({ text }) => text)

it('links the five entities whose names and descriptions are nearest to the question', async () => {
  const { store, query, graph: world, found } = await cited('graphrag-local-simple', { hops: 0 })
  const { names, descriptions, ids } = world.entities
  const { embed, dims } = await store.open(query)
  const texts = names.map((name, row) => (descriptions[row] === '' ? name : `${name}\n${descriptions[row]}`))
  const vectors = await embed([TEXT, ...texts])
  const cosine = (row: number) => {
    let sum = 0
    for (let i = 0; i < dims; i++) sum += vectors[i] * vectors[(row + 1) * dims + i]
    return sum
  }
  const nearest = [...ids.keys()].sort((a, b) => cosine(b) - cosine(a)).slice(0, 5)
  expect(names.length).toBeGreaterThan(20)
  expect(found.filter(({ kind }) => kind === 'entity').map(({ id }) => id)).toEqual(
    nearest.map((row) => ids[row]),
  )
})

it('reads the entities within `hops` relationships, two by default', async () => {
  const reached = async (hops?: number) => {
    const { found, graph: world } = await cited('graphrag-local-simple', { link: 'names', hops })
    return { world, ids: new Set(found.filter(({ kind }) => kind === 'entity').map(({ id }) => id)) }
  }
  const { world, ids: starts } = await reached(0)
  const { sources, targets, size } = world.relationships
  const { ids } = world.entities
  const around = (within: ReadonlySet<string>) =>
    new Set([
      ...within,
      ...Array.from({ length: size }, (_, row) => [ids[sources[row]], ids[targets[row]]])
        .filter((ends) => ends.some((end) => within.has(end)))
        .flat(),
    ])
  const [one, two] = [around(starts), around(around(starts))]
  expect(starts.size).toBe(1)
  expect(one.size).toBeGreaterThan(1)
  expect(two.size).toBeGreaterThan(one.size)
  expect((await reached(1)).ids).toEqual(one)
  expect((await reached(2)).ids).toEqual(two)
  expect((await reached()).ids).toEqual(two)
})

it('cites entities as `name (type): description`, then the relationships between them with both ends', async () => {
  const { found, graph: world } = await cited('graphrag-local-simple', { link: 'names', hops: 1 })
  const { names, types, descriptions, ids } = world.entities
  const { relationships } = world
  const entities = found.filter(({ kind }) => kind === 'entity').map(({ id }) => ids.indexOf(id))
  const between = Array.from({ length: relationships.size }, (_, row) => row).filter((row) =>
    [relationships.sources[row], relationships.targets[row]].every((end) => entities.includes(end)),
  )
  expect(between.length).toBeGreaterThan(0)
  expect(found.map(({ kind }) => kind)).toEqual([
    ...entities.map(() => 'entity'),
    ...between.map(() => 'relationship'),
  ])
  expect(textsOf(found, 'entity')).toEqual(
    entities.map(
      (row) =>
        `${names[row]}${types[row] && ` (${types[row]})`}${descriptions[row] && `: ${descriptions[row]}`}`,
    ),
  )
  const { sources, targets, descriptions: said } = relationships
  expect(new Set(textsOf(found, 'relationship'))).toEqual(
    new Set(between.map((row) => `${names[sources[row]]} -> ${names[targets[row]]}: ${said[row]}`)),
  )
})

it('cites reports on communities of its entities, within their share of the context', async () => {
  const contextTokens = 2000
  const { store, found, graph: world } = await cited('graphrag-local', { contextTokens })
  const reports = await store.open(communityReports(recipe))
  const communities = await store.open(communitiesTable(recipe))
  const entities = found
    .filter(({ kind }) => kind === 'entity')
    .map(({ id }) => world.entities.ids.indexOf(id))
  const own = found.filter(({ kind }) => kind === 'report')
  expect(own.length).toBeGreaterThan(0)
  for (const { id, text } of own) {
    const row = reports.ids.indexOf(id)
    expect(text).toBe(reports.contents[row])
    const members = membersOf(communities.entities, reports.communities[row])
    expect(entities.some((entity) => members.includes(entity))).toBe(true)
  }
  const tokens = (some: readonly Evidence[]) => some.reduce((sum, one) => sum + one.tokens, 0)
  expect(tokens(own)).toBeLessThanOrEqual(0.15 * contextTokens)
  const more = await cited('graphrag-local', { contextTokens, reportShare: 0.5 })
  expect(textsOf(more.found, 'report').length).toBeGreaterThan(own.length)
  expect(textsOf((await cited('graphrag-local', { contextTokens, reportShare: 0 })).found, 'report')).toEqual(
    [],
  )
})
