import { join } from 'node:path'
import { derived } from '../../../store/artifact.ts'
import { type ParquetColumn, text, texts, whole } from '../../../tables/column.ts'
import { documentColumns, unitColumns } from '../../../tables/corpus.ts'
import {
  communityColumns,
  entityColumns,
  findingColumn,
  type ReportColumns,
  relationshipColumns,
  reportColumns,
  sizesOf,
} from '../../../tables/graph.ts'
import { writeTable } from '../../../tables/parquet.ts'
import type { Chunk, Document } from '../../../types.ts'
import { textUnits } from '../../corpus.ts'
import type { Recipe } from '../../recipe.ts'
import { communitiesTable, communityTable } from '../communities/assemble.ts'
import { memberIds, transpose } from '../csr.ts'
import { graph, graphColumns } from '../extraction.ts'
import type { Communities, Graph } from '../graph.ts'
import { communityReports, reportFindings, reportTable } from '../reports/assemble.ts'

/** Tables by name, with the columns and their order of graphrag 3.3, `data_model/schemas.py`. */
type Tables = Readonly<Record<string, readonly ParquetColumn[]>>

const none = (name: string, rows: readonly unknown[]) =>
  text(
    name,
    rows.map(() => ''),
  )

function graphTables(graph: Graph, chunks: readonly Chunk[], documents: readonly Document[]): Tables {
  const { entities, relationships } = graphColumns(graph, chunks)
  const unitsOf = new Map<string, string[]>(documents.map(({ id }) => [id, []]))
  for (const { id, documentId } of chunks) unitsOf.get(documentId)?.push(id)
  const metadata = documents.map((document) => JSON.stringify(document.metadata))
  const nothing = chunks.map(() => [])
  return {
    entities: entityColumns(entities),
    relationships: relationshipColumns(relationships),
    text_units: [
      ...unitColumns(chunks),
      texts('entity_ids', memberIds(graph.entitiesOfChunk, entities.ids)),
      texts(
        'relationship_ids',
        memberIds(transpose(graph.chunksOfRelationship, chunks.length), relationships.ids),
      ),
      texts('covariate_ids', nothing),
    ],
    documents: [
      ...documentColumns(documents),
      texts('text_unit_ids', [...unitsOf.values()]),
      none('creation_date', documents),
      text('raw_data', metadata),
    ],
  }
}

function communityTables(communities: Communities, graph: Graph, chunks: readonly Chunk[]): Tables {
  const table = communityTable(communities, graph, chunks)
  const size = whole('size', sizesOf(table.entityIds))
  return { communities: [...communityColumns(table), none('period', table.ids), size] }
}

function reportTables(table: ReportColumns): Tables {
  const { ids, titles, summaries, ranks, findings, sizes } = table
  const contents = titles.map((title, row) =>
    JSON.stringify({ title, summary: summaries[row], rating: ranks[row], findings: findings[row] }),
  )
  return {
    community_reports: [
      ...reportColumns(table),
      none('rating_explanation', ids),
      findingColumn(table),
      text('full_content_json', contents),
      none('period', ids),
      whole('size', sizes),
    ],
  }
}

export const graphrag = {
  name: 'graphrag',
  summary: "Microsoft GraphRAG's output folder: Parquet tables with its column names and types",
  folder: true,
  writer: (recipe: Recipe) =>
    derived(
      'graphrag_tables',
      {
        graph: graph(recipe),
        chunks: textUnits(recipe),
        documents: recipe.documents,
        ...(recipe.communities && { communities: communitiesTable(recipe) }),
        ...(recipe.communities &&
          recipe.reports && { reports: communityReports(recipe), findings: reportFindings(recipe) }),
      },
      ({ graph, chunks, documents, communities, reports, findings }) =>
        (path: string): string[] => {
          const write = (tables: Tables) => {
            for (const [name, columns] of Object.entries(tables))
              writeTable(join(path, `${name}.parquet`), columns)
          }
          write(graphTables(graph, chunks, documents))
          if (!communities) return ['no communities and reports: the config has no `prepare.communities`']
          write(communityTables(communities, graph, chunks))
          if (!reports || !findings) return ['no community reports: the config has no `prepare.reports`']
          write(reportTables(reportTable(reports, findings, communities)))
          return []
        },
    ),
}
