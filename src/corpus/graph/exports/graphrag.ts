import { join } from 'node:path'
import type { ParquetColumn } from '../../../tables/column.ts'
import { writeTable } from '../../../tables/parquet.ts'
import type { Chunk, Document } from '../../../types.ts'
import { textUnits } from '../../corpus.ts'
import type { Recipe } from '../../recipe.ts'
import { graph } from '../artifacts.ts'
import { communitiesTable } from '../communities/assemble.ts'
import { type Incidence, membersOf, transpose } from '../csr.ts'
import type { Communities, Graph, Reports } from '../graph.ts'
import { communityReports, reportFindings } from '../reports/assemble.ts'
import { defineExport } from './define.ts'

/** Columns and their order as in graphrag 3.3, `data_model/schemas.py`. */
const text = (name: string, values: readonly (string | null)[]): ParquetColumn => ({
  name,
  type: 'string',
  values,
})
const whole = (name: string, values: ArrayLike<number>): ParquetColumn => ({ name, type: 'integer', values })
const number = (name: string, values: ArrayLike<number>): ParquetColumn => ({ name, type: 'number', values })
const texts = (name: string, values: readonly (readonly string[])[]): ParquetColumn => ({
  name,
  type: 'strings',
  values,
})
const rowsOf = (values: readonly unknown[]) =>
  whole(
    'human_readable_id',
    values.map((_, row) => row),
  )
const empty = (values: readonly unknown[]) => values.map(() => '')

type Table = (name: string, columns: readonly ParquetColumn[]) => void

const idsOf = (incidence: Incidence, ids: readonly string[]) =>
  Array.from({ length: incidence.offsets.length - 1 }, (_, row) =>
    Array.from(membersOf(incidence, row), (member) => ids[member]),
  )

function writeGraphTables(
  table: Table,
  graph: Graph,
  chunks: readonly Chunk[],
  documents: readonly Document[],
): void {
  const { entities, relationships } = graph
  const chunkIds = chunks.map(({ id }) => id)
  const ends = (rows: Uint32Array) => Array.from(rows, (row) => entities.names[row])
  const entityChunks = idsOf(graph.chunksOfEntity, chunkIds)
  table('entities', [
    text('id', entities.ids),
    rowsOf(entities.ids),
    text('title', entities.names),
    text('type', entities.types),
    text('description', entities.descriptions),
    texts('text_unit_ids', entityChunks),
    whole(
      'frequency',
      entityChunks.map((ids) => ids.length),
    ),
    whole('degree', entities.degrees),
  ])
  table('relationships', [
    text('id', relationships.ids),
    rowsOf(relationships.ids),
    text('source', ends(relationships.sources)),
    text('target', ends(relationships.targets)),
    text('description', relationships.descriptions),
    number('weight', relationships.weights),
    whole('combined_degree', relationships.combinedDegrees),
    texts('text_unit_ids', idsOf(graph.chunksOfRelationship, chunkIds)),
  ])
  table('text_units', [
    text('id', chunkIds),
    rowsOf(chunks),
    text(
      'text',
      chunks.map((chunk) => chunk.text),
    ),
    whole(
      'n_tokens',
      chunks.map(({ tokens }) => tokens),
    ),
    text(
      'document_id',
      chunks.map(({ documentId }) => documentId),
    ),
    texts('entity_ids', idsOf(graph.entitiesOfChunk, entities.ids)),
    texts('relationship_ids', idsOf(transpose(graph.chunksOfRelationship, chunks.length), relationships.ids)),
    texts(
      'covariate_ids',
      chunks.map(() => []),
    ),
  ])
  const unitsOf = new Map<string, string[]>(documents.map(({ id }) => [id, []]))
  for (const { id, documentId } of chunks) unitsOf.get(documentId)?.push(id)
  table('documents', [
    text(
      'id',
      documents.map(({ id }) => id),
    ),
    rowsOf(documents),
    text(
      'title',
      documents.map(({ title }) => title),
    ),
    text(
      'text',
      documents.map((document) => document.text),
    ),
    texts(
      'text_unit_ids',
      documents.map(({ id }) => unitsOf.get(id) as string[]),
    ),
    text('creation_date', empty(documents)),
    text(
      'raw_data',
      documents.map(({ metadata }) => JSON.stringify(metadata)),
    ),
  ])
}

function writeCommunityTable(
  table: Table,
  communities: Communities,
  graph: Graph,
  chunks: readonly Chunk[],
): void {
  const sizes = sizesOf(communities)
  const numbers = communities.ids.map((_, row) => row)
  table('communities', [
    text('id', communities.ids),
    whole('human_readable_id', numbers),
    whole('community', numbers),
    whole('level', communities.levels),
    whole('parent', communities.parents),
    { name: 'children', type: 'integers', values: communities.children },
    text('title', communities.titles),
    texts('entity_ids', idsOf(communities.entities, graph.entities.ids)),
    texts('relationship_ids', idsOf(communities.relationships, graph.relationships.ids)),
    texts(
      'text_unit_ids',
      idsOf(
        communities.chunks,
        chunks.map(({ id }) => id),
      ),
    ),
    text('period', empty(numbers)),
    whole('size', sizes),
  ])
}

const sizesOf = ({ ids, entities }: Communities) => ids.map((_, row) => membersOf(entities, row).length)

function writeReportTable(
  table: Table,
  reports: Reports,
  findings: readonly (readonly { readonly summary: string; readonly explanation: string }[])[],
  communities: Communities,
): void {
  const of = <T>(values: ArrayLike<T>) => Array.from(reports.communities, (community) => values[community])
  table('community_reports', [
    text('id', reports.ids),
    whole('human_readable_id', reports.communities),
    whole('community', reports.communities),
    whole('level', of(communities.levels)),
    whole('parent', of(communities.parents)),
    { name: 'children', type: 'integers', values: of(communities.children) },
    text('title', reports.titles),
    text('summary', reports.summaries),
    text('full_content', reports.contents),
    number('rank', reports.ranks),
    text('rating_explanation', empty(reports.ids)),
    {
      name: 'findings',
      type: 'records',
      fields: ['explanation', 'summary'],
      values: findings.map((list) => list.map((finding) => ({ ...finding }))),
    },
    text(
      'full_content_json',
      reports.titles.map((title, row) =>
        JSON.stringify({
          title,
          summary: reports.summaries[row],
          rating: reports.ranks[row],
          findings: findings[row],
        }),
      ),
    ),
    text('period', empty(reports.ids)),
    whole('size', of(sizesOf(communities))),
  ])
}

/** Output folder of Microsoft GraphRAG 3: all tables that its queries read, where the config makes them. */
export const graphrag = defineExport({
  name: 'graphrag',
  summary: "Microsoft GraphRAG's output folder: Parquet tables with its column names and types",
  folder: true,
  reads: (recipe: Recipe) => ({
    graph: graph(recipe),
    chunks: textUnits(recipe),
    documents: recipe.documents,
    ...(recipe.communities && { communities: communitiesTable(recipe) }),
    ...(recipe.communities &&
      recipe.reports && { reports: communityReports(recipe), findings: reportFindings(recipe) }),
  }),
  write(path, { graph, chunks, documents, communities, reports, findings }) {
    const table: Table = (name, columns) => writeTable(join(path, `${name}.parquet`), columns)
    writeGraphTables(table, graph, chunks, documents)
    if (!communities) return ['no communities and reports: the config has no `prepare.communities`']
    writeCommunityTable(table, communities, graph, chunks)
    if (!reports || !findings) return ['no community reports: the config has no `prepare.reports`']
    writeReportTable(table, reports, findings, communities)
    return []
  },
})
