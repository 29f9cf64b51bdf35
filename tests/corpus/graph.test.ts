import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { textUnits } from '../../src/corpus/corpus.ts'
import { entityIndex, factIndex, relationshipIndex, reportIndex } from '../../src/corpus/dense/dense.ts'
import {
  entitiesTable,
  factsTable,
  graph,
  relationshipsTable,
  statisticsOfGraph,
} from '../../src/corpus/graph/artifacts.ts'
import { communitiesTable } from '../../src/corpus/graph/communities/assemble.ts'
import { membersOf } from '../../src/corpus/graph/csr.ts'
import { extraction } from '../../src/corpus/graph/extraction.ts'
import { hippoGraph, hippoGraphV1, synonymy } from '../../src/corpus/graph/hippo-graph.ts'
import { communityReports } from '../../src/corpus/graph/reports/assemble.ts'
import { titleLinks } from '../../src/corpus/graph/title-links.ts'
import type { Recipe } from '../../src/corpus/recipe.ts'
import { UserError } from '../../src/errors.ts'
import { openStore } from '../../src/store/store.ts'
import { readTable } from '../../src/tables/parquet.ts'
import { countTokens } from '../../src/text/tokens.ts'
import { recipeOf } from './recipes.ts'

const PEOPLE = 'Ada Bob Cleo Dora Emil Fay Gus Hana Ivo Jana Kurt Lena Mona Nils Olga Paul'.split(' ')

/** Two circles of friends who meet around a ring, and one passage that names nobody. */
const documents = [
  ...PEOPLE.map((name, i) => {
    const other = PEOPLE[(i + 1) % 8 === 0 ? i - 7 : i + 1]
    const third = PEOPLE[i < 8 ? (i + 3) % 8 : 8 + ((i + 3) % 8)]
    const text = `${name} often visited ${other} near Berlin Gate. Later ${third} wrote to ${name} about gardening.`
    return { id: `d${String(i).padStart(2, '0')}`, title: name, text, metadata: {} }
  }),
  { id: 'd99', title: '', text: 'nothing to see here.', metadata: {} },
]
const recipe: Recipe = {
  ...recipeOf(documents),
  graph: [
    { name: 'rules', params: {} },
    { name: 'titles', params: {} },
  ],
  communities: { name: 'leiden', params: { maxSize: 5 } },
  reports: { name: 'extractive', params: {} },
}
const folder = () => mkdtempSync(join(tmpdir(), 'touchstone-'))

describe('artifacts of the graph', () => {
  const store = openStore(folder())
  async function open<T>(artifact: Parameters<typeof store.open<T>>[0]): Promise<T> {
    await store.prepare(artifact)
    return store.open(artifact)
  }

  it('opens what was extracted, the same as it was built', async () => {
    const opened = await open(graph(recipe))
    expect(opened.entities.names).toEqual(['Ada', 'Berlin Gate', ...PEOPLE.slice(1)].sort())
    expect(opened.chunks).toBe(17)
    expect([...membersOf(opened.entitiesOfChunk, 16)]).toEqual([])
    expect(await open(entitiesTable(recipe))).toBe(opened.entities)
    expect(await open(relationshipsTable(recipe))).toBe(opened.relationships)
    expect(opened.relationships.ids).toHaveLength(new Set(opened.relationships.ids).size)
  })

  it('has the columns of GraphRAG in its tables', async () => {
    await open(communityReports(recipe))
    const file = (artifact: { name: string; key: string }, name: string) =>
      readTable(join(store.root, artifact.name, artifact.key.slice(0, 32), name))
    const chunks = await file(textUnits(recipe), 'text_units.parquet')
    expect(chunks.columns).toEqual(
      'id human_readable_id text n_tokens document_id position start end section title metadata'.split(' '),
    )
    const entities = await file(extraction(recipe), 'entities.parquet')
    expect(
      entities
        .lists('text_unit_ids')
        .flat()
        .filter((id) => !chunks.strings('id').includes(id)),
    ).toEqual([])
    expect(entities.columns.slice(0, 8)).toEqual(
      'id human_readable_id title type description text_unit_ids frequency degree'.split(' '),
    )
    const relationships = await file(extraction(recipe), 'relationships.parquet')
    expect(relationships.columns.slice(0, 8)).toEqual(
      'id human_readable_id source target description weight combined_degree text_unit_ids'.split(' '),
    )
    expect(new Set(entities.strings('title'))).toEqual(
      new Set([...relationships.strings('source'), ...relationships.strings('target')]),
    )
    const communities = await file(communitiesTable(recipe), 'communities.parquet')
    expect(communities.columns).toEqual(
      'id human_readable_id community level parent children title entity_ids relationship_ids text_unit_ids size'.split(
        ' ',
      ),
    )
    expect(
      communities
        .lists('entity_ids')
        .flat()
        .every((id) => entities.strings('id').includes(id)),
    ).toBe(true)
    const reports = await file(communityReports(recipe), 'community_reports.parquet')
    expect(reports.columns).toEqual(
      'id human_readable_id community level parent children title summary full_content rank findings size n_tokens'.split(
        ' ',
      ),
    )
  })

  it('reports quote the corpus, count their tokens and rank between 0 and 10', async () => {
    const communities = await open(communitiesTable(recipe))
    const reports = await open(communityReports(recipe))
    expect(reports.size).toBe(communities.size)
    expect(communities.size).toBeGreaterThan(2)
    expect(Math.max(...reports.ranks)).toBe(10)
    expect(Math.min(...reports.ranks)).toBeGreaterThanOrEqual(0)
    const corpus = documents.map(({ text }) => text).join(' ')
    reports.contents.forEach((content, row) => {
      expect(reports.tokens[row]).toBe(countTokens(content))
      for (const block of content.split('\n\n').slice(2))
        if (!block.startsWith('#')) expect(corpus).toContain(block)
    })
  })

  it('links synonyms, facts, titles and passages in graphs that can be walked', async () => {
    const { entities, chunksOfEntity } = await open(graph(recipe))
    const facts = await open(factsTable(recipe))
    expect(facts.texts).toContain('ada often visited bob')
    const synonyms = await open(synonymy(recipe))
    expect(synonyms.weights.every((weight) => weight >= 0.8)).toBe(true)
    const hippo = await open(hippoGraph(recipe))
    expect([hippo.phrases, hippo.walk.csr.nodes]).toEqual([entities.size, entities.size + 17])
    expect(hippo.passagesPerPhrase[0]).toBe(chunksOfEntity.offsets[1])
    const phrases = await open(hippoGraphV1(recipe))
    expect(phrases.walk.csr.nodes).toBe(entities.size)
    const titles = await open(titleLinks(recipe))
    expect(titles.titles.rows.get('ada')).toEqual([0])
    expect(titles.walk.csr.nodes).toBe(17)
  })

  it('indexes names, descriptions, relationships, facts and reports', async () => {
    const { entities, relationships } = await open(graph(recipe))
    expect((await open(entityIndex(recipe, 'name'))).rows).toBe(entities.size)
    expect((await open(entityIndex(recipe, 'description'))).rows).toBe(entities.size)
    expect((await open(relationshipIndex(recipe))).rows).toBe(relationships.size)
    expect((await open(factIndex(recipe))).rows).toBe((await open(factsTable(recipe))).size)
    expect((await open(reportIndex(recipe))).rows).toBe((await open(communityReports(recipe))).size)
  })

  it('says what the graph is like', async () => {
    const statistics = await open(statisticsOfGraph(recipe))
    expect(statistics).toMatchObject({ entities: 17, chunks: 17, isolatedChunks: 1, components: 1 })
    expect(Object.keys(statistics.extractors)).toEqual(['rules', 'titles'])
  })

  it('writes the same bytes again', async () => {
    const again = openStore(folder())
    await again.prepare(communityReports(recipe))
    for (const artifact of [extraction(recipe), communitiesTable(recipe), communityReports(recipe)]) {
      const manifest = (root: string) =>
        readFileSync(join(root, artifact.name, artifact.key.slice(0, 32), 'artifact.json'), 'utf8')
      expect(manifest(again.root)).toBe(manifest(store.root))
    }
  })

  it('names the line of `prepare` that is missing or wrong', () => {
    expect(() => graph({ ...recipe, graph: undefined })).toThrow(/no line `graph`/)
    expect(() => graph({ ...recipe, graph: [] })).toThrow(UserError)
    expect(() => communitiesTable({ ...recipe, communities: undefined })).toThrow(/no line `communities`/)
    expect(() => communityReports({ ...recipe, reports: undefined })).toThrow(/no line `reports`/)
    expect(() => communitiesTable({ ...recipe, communities: { name: 'leden', params: {} } })).toThrow(
      /leiden/,
    )
    expect(() =>
      communityReports({ ...recipe, reports: { name: 'extractive', params: { sentences: 0 } } }),
    ).toThrow(UserError)
    const openie = { name: 'openie', params: { path: '/nowhere.jsonl' } }
    expect(() => graph({ ...recipe, graph: [openie] })).toThrow(/nowhere\.jsonl: there is no such file/)
  })

  it('makes artifacts of a corpus in which nothing is found', async () => {
    const empty: Recipe = {
      ...recipe,
      ...recipeOf([{ id: 'a', title: '', text: 'nothing here.', metadata: {} }]),
    }
    expect((await open(communityReports(empty))).size).toBe(0)
    expect((await open(communitiesTable(empty))).depth).toBe(0)
    expect((await open(titleLinks(empty))).walk.csr.nodes).toBe(1)
    expect((await open(statisticsOfGraph(empty))).isolatedChunks).toBe(1)
    const hippo = await open(hippoGraph(empty))
    expect([hippo.phrases, hippo.walk.csr.nodes]).toEqual([0, 1])
  })
})
