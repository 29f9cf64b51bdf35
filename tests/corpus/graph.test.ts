import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { textUnits } from '../../src/corpus/corpus.ts'
import { communitiesTable } from '../../src/corpus/graph/communities/assemble.ts'
import { extraction } from '../../src/corpus/graph/extraction.ts'
import { communityReports } from '../../src/corpus/graph/reports/assemble.ts'
import type { Recipe } from '../../src/corpus/recipe.ts'
import { openStore } from '../../src/store/store.ts'
import { readTable } from '../../src/tables/parquet.ts'
import { sharedFolder, temporaryFolder } from '../temporary.ts'
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
describe('artifacts of the graph', () => {
  const store = openStore(sharedFolder())
  async function open<T>(artifact: Parameters<typeof store.open<T>>[0]): Promise<T> {
    await store.prepare(artifact)
    return store.open(artifact)
  }

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

  it('writes the same bytes again', async () => {
    const again = openStore(temporaryFolder())
    await again.prepare(communityReports(recipe))
    for (const artifact of [extraction(recipe), communitiesTable(recipe), communityReports(recipe)]) {
      const manifest = (root: string) =>
        readFileSync(join(root, artifact.name, artifact.key.slice(0, 32), 'artifact.json'), 'utf8')
      expect(manifest(again.root)).toBe(manifest(store.root))
    }
  })
})
