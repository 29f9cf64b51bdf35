import { number, type ParquetColumn, rowNumbers, text, texts, whole } from './column.ts'
import { readOwnTable, writeOwnTable } from './parquet.ts'

const SCHEMAS = {
  entities: { name: 'entities', version: 1 },
  relationships: { name: 'relationships', version: 2 },
  facts: { name: 'facts', version: 1 },
  communities: { name: 'communities', version: 1 },
  reports: { name: 'community_reports', version: 1 },
} as const

export interface EntityColumns {
  readonly ids: readonly string[]
  readonly keys: readonly string[]
  readonly names: readonly string[]
  readonly types: readonly string[]
  readonly descriptions: readonly string[]
  readonly chunkIds: readonly (readonly string[])[]
  readonly degrees: ArrayLike<number>
}

export function entityColumns(entities: EntityColumns): ParquetColumn[] {
  return [
    text('id', entities.ids),
    rowNumbers(entities.ids),
    text('title', entities.names),
    text('type', entities.types),
    text('description', entities.descriptions),
    texts('text_unit_ids', entities.chunkIds),
    whole('frequency', sizesOf(entities.chunkIds)),
    whole('degree', entities.degrees),
  ]
}

/** Writes GraphRAG's columns, and `key`, the normalised name. */
export function writeEntities(path: string, entities: EntityColumns): void {
  const columns = [...entityColumns(entities), text('key', entities.keys)]
  writeOwnTable(path, SCHEMAS.entities, columns)
}

export async function readEntities(
  path: string,
): Promise<Pick<EntityColumns, 'keys' | 'names' | 'types' | 'descriptions'>> {
  const table = await readOwnTable(path, SCHEMAS.entities, ['key', 'title', 'type', 'description'])
  return {
    keys: table.strings('key'),
    names: table.strings('title'),
    types: table.strings('type'),
    descriptions: table.strings('description'),
  }
}

export interface RelationshipColumns {
  readonly ids: readonly string[]
  readonly sources: readonly string[]
  readonly targets: readonly string[]
  readonly descriptions: readonly string[]
  readonly keywords: readonly string[]
  readonly relations: readonly (readonly string[])[]
  readonly weights: ArrayLike<number>
  readonly combinedDegrees: ArrayLike<number>
  readonly chunkIds: readonly (readonly string[])[]
}

export function relationshipColumns(relationships: RelationshipColumns): ParquetColumn[] {
  return [
    text('id', relationships.ids),
    rowNumbers(relationships.ids),
    text('source', relationships.sources),
    text('target', relationships.targets),
    text('description', relationships.descriptions),
    number('weight', relationships.weights),
    whole('combined_degree', relationships.combinedDegrees),
    texts('text_unit_ids', relationships.chunkIds),
  ]
}

export function writeRelationships(path: string, relationships: RelationshipColumns): void {
  const columns = [
    ...relationshipColumns(relationships),
    text('keywords', relationships.keywords),
    texts('relation', relationships.relations),
  ]
  writeOwnTable(path, SCHEMAS.relationships, columns)
}

export async function readRelationships(
  path: string,
): Promise<Pick<RelationshipColumns, 'descriptions' | 'keywords' | 'relations'> & { weights: Float64Array }> {
  const table = await readOwnTable(path, SCHEMAS.relationships, [
    'description',
    'keywords',
    'weight',
    'relation',
  ])
  return {
    descriptions: table.strings('description'),
    keywords: table.strings('keywords'),
    relations: table.lists('relation'),
    weights: Float64Array.from(table.numbers('weight')),
  }
}

/** Subjects and objects are rows of the entities table. */
export interface FactColumns {
  readonly subjects: Uint32Array
  readonly predicates: readonly string[]
  readonly objects: Uint32Array
  readonly counts: Uint32Array
}

export function writeFacts(path: string, { subjects, predicates, objects, counts }: FactColumns): void {
  const columns: ParquetColumn[] = [
    { name: 'subject', type: 'int32', values: subjects },
    text('predicate', predicates),
    { name: 'object', type: 'int32', values: objects },
    { name: 'count', type: 'int32', values: counts },
  ]
  writeOwnTable(path, SCHEMAS.facts, columns)
}

export async function readFacts(path: string): Promise<FactColumns> {
  const table = await readOwnTable(path, SCHEMAS.facts)
  return {
    subjects: Uint32Array.from(table.numbers('subject')),
    predicates: table.strings('predicate'),
    objects: Uint32Array.from(table.numbers('object')),
    counts: Uint32Array.from(table.numbers('count')),
  }
}

/** Communities are numbered by row. */
export interface CommunityTableColumns {
  readonly ids: readonly string[]
  readonly levels: ArrayLike<number>
  readonly parents: ArrayLike<number>
  readonly children: readonly (readonly number[])[]
  readonly titles: readonly string[]
  readonly entityIds: readonly (readonly string[])[]
  readonly relationshipIds: readonly (readonly string[])[]
  readonly chunkIds: readonly (readonly string[])[]
}

/** GraphRAG's columns before `period` and `size`. */
export function communityColumns(communities: CommunityTableColumns): ParquetColumn[] {
  return [
    text('id', communities.ids),
    rowNumbers(communities.ids),
    whole('community', [...communities.ids.keys()]),
    whole('level', communities.levels),
    whole('parent', communities.parents),
    { name: 'children', type: 'integers', values: communities.children },
    text('title', communities.titles),
    texts('entity_ids', communities.entityIds),
    texts('relationship_ids', communities.relationshipIds),
    texts('text_unit_ids', communities.chunkIds),
  ]
}

/** Writes GraphRAG's columns but `period`: equal communities give equal files on every day. */
export function writeCommunities(path: string, communities: CommunityTableColumns): void {
  const columns = [...communityColumns(communities), whole('size', sizesOf(communities.entityIds))]
  writeOwnTable(path, SCHEMAS.communities, columns)
}

export const sizesOf = (lists: readonly (readonly unknown[])[]) => lists.map(({ length }) => length)

export interface ReportColumns {
  readonly ids: readonly string[]
  readonly communities: ArrayLike<number>
  readonly levels: ArrayLike<number>
  readonly parents: ArrayLike<number>
  readonly children: readonly (readonly number[])[]
  readonly sizes: ArrayLike<number>
  readonly titles: readonly string[]
  readonly summaries: readonly string[]
  readonly contents: readonly string[]
  readonly ranks: ArrayLike<number>
  readonly tokens: ArrayLike<number>
  readonly findings: readonly (readonly { readonly summary: string; readonly explanation: string }[])[]
}

/** GraphRAG's columns before `rating_explanation`. */
export function reportColumns(reports: ReportColumns): ParquetColumn[] {
  return [
    text('id', reports.ids),
    whole('human_readable_id', reports.communities),
    whole('community', reports.communities),
    whole('level', reports.levels),
    whole('parent', reports.parents),
    { name: 'children', type: 'integers', values: reports.children },
    text('title', reports.titles),
    text('summary', reports.summaries),
    text('full_content', reports.contents),
    number('rank', reports.ranks),
  ]
}

export const findingColumn = ({ findings }: ReportColumns): ParquetColumn => ({
  name: 'findings',
  type: 'records',
  fields: ['explanation', 'summary'],
  values: findings.map((list) => list.map((finding) => ({ ...finding }))),
})

/** Writes GraphRAG's columns but `period` and `full_content_json`, and `n_tokens`, the o200k tokens of the content. */
export function writeCommunityReports(path: string, reports: ReportColumns): void {
  const columns = [
    ...reportColumns(reports),
    findingColumn(reports),
    whole('size', reports.sizes),
    whole('n_tokens', reports.tokens),
  ]
  writeOwnTable(path, SCHEMAS.reports, columns)
}

export async function readCommunityReports(path: string) {
  const table = await readOwnTable(path, SCHEMAS.reports, [
    'id',
    'community',
    'title',
    'summary',
    'full_content',
    'rank',
    'n_tokens',
  ])
  return {
    ids: table.strings('id'),
    communities: Uint32Array.from(table.numbers('community')),
    titles: table.strings('title'),
    summaries: table.strings('summary'),
    contents: table.strings('full_content'),
    ranks: Float64Array.from(table.numbers('rank')),
    tokens: Uint32Array.from(table.numbers('n_tokens')),
  }
}
