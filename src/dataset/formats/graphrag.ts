import { dirname, join, posix } from 'node:path'
import { z } from 'zod'
import { printedLists } from '../../text/printed-lists.ts'
import type { Json } from '../../types.ts'
import { textsOf } from '../contexts.ts'
import { type CorpusText, corpusShape, takeCorpus } from '../corpus-folder.ts'
import { DOCUMENT_TITLE } from '../dataset-roles.ts'
import { defineDatasetFormat, type OwnGraph, ownGraphInWords } from '../format.ts'
import { idOf, pickColumns, type Row, readRows } from '../rows.ts'
import type { DatasetSink } from '../sink.ts'
import { openSource, type Source } from '../source.ts'

const ANY = { fits: () => true }
const ID = { name: 'id', names: [['id'], ['chunk_id']], ...ANY }
const TEXT_UNITS = {
  id: ID,
  text: { name: 'text', names: [['text'], ['chunk']], ...ANY },
  source: { name: 'source', names: [['document_id'], ['document_ids']], ...ANY, optional: true },
}
const DOCUMENTS = {
  id: ID,
  text: { name: 'text', names: [['text'], ['raw_content']], ...ANY },
  title: DOCUMENT_TITLE,
}

/**
 * Output folder of Microsoft GraphRAG: `text_units.parquet` and `documents.parquet`, or `create_final_*.parquet` before 2.0; as CSV if
 * its storage was set so.
 * Text units keep their ids, so that the graph of the same output fits.
 */
export const graphragDataset = defineDatasetFormat({
  name: 'graphrag',
  summary: "Microsoft GraphRAG's output as a corpus: text units, or whole documents (Parquet, CSV)",
  drops: 'covariates and embeddings; graph, communities and reports are of `prepare`',
  params: z.strictObject({
    ...corpusShape,
    unit: z
      .enum(['text-unit', 'document'])
      .default('text-unit')
      .describe('unit of the corpus; the graph fits text units only'),
  }),
  sniff: (source) => {
    const { units, documents, graph } = filesOf(source)
    // For half a folder the reader names the missing half.
    return units.length > 0 || graph.length > 1 ? { files: [...units, ...documents, ...graph] } : undefined
  },
  async load({ path, questions, unit }, sink, reading) {
    const { units, documents } = filesOf(openSource(path))
    const file = unit === 'document' ? documents[0] : units[0]
    if (units.length > 1)
      return sink.diagnostic({
        file: path,
        message:
          new Set(units.map(dirname)).size < units.length
            ? `holds two outputs of GraphRAG in one folder: ${units.join(', ')}; move the files of one into another folder`
            : `holds ${units.length} outputs of GraphRAG: ${units.map(dirname).join(', ')}; give the path of one`,
      })
    if (file === undefined)
      return sink.diagnostic({
        file: unit === 'document' ? 'documents.parquet' : 'text_units.parquet',
        message: 'is missing from this GraphRAG output',
      })
    const rows = await readRows(path, file, sink)
    const titles = unit === 'document' ? new Map() : await titlesIn(path, documents[0], sink)
    const roles = unit === 'document' ? DOCUMENTS : TEXT_UNITS
    const picked =
      rows.length > 0
        ? pickColumns<'id' | 'text' | 'source' | 'title'>(
            rows,
            { source: TEXT_UNITS.source, title: DOCUMENT_TITLE, ...roles },
            { file },
            sink,
          )
        : undefined
    if (rows.length === 0) sink.diagnostic({ file, message: 'holds no text' })
    if (!picked) return
    const texts = rows.flatMap((row): CorpusText[] => {
      const id = idOf(picked.of(row, 'id'), unit, row.location, sink)
      const title =
        unit === 'document'
          ? textsOf(picked.of(row, 'title'))[0]
          : titles.get(sourceOf(picked.of(row, 'source')))
      const text = textsOf(picked.of(row, 'text'))[0] ?? ''
      return id === undefined ? [] : [{ id, title: title ?? '', text, location: row.location }]
    })
    await takeCorpus(texts, questions, sink)
    sink.notice(`read as GraphRAG output: ${file}; ${picked.read}`)
    const { own, missing } = graphragGraph(path)
    sink.notice(ownGraphInWords(own, reading, missing))
    if (file.endsWith('.csv'))
      sink.notice('of GraphRAG output in CSV the texts are read; its graph is read from Parquet')
  },
  graph: ({ path }) => graphragGraph(path).own,
})

const GRAPH = ['entities', 'relationships', 'communities', 'community_reports']

/** Tables of a GraphRAG output in addition to its text units, as values of `prepare`, and those that are missing. */
function graphragGraph(path: string): { readonly own: OwnGraph; readonly missing: readonly string[] } {
  const source = openSource(path)
  const { units } = filesOf(source)
  if (units.length !== 1) return { own: {}, missing: [] }
  const at = dirname(units[0])
  const holds = (name: string) =>
    ['', 'create_final_'].some((prefix) => source.files.includes(posix.join(at, `${prefix}${name}.parquet`)))
  const missing = GRAPH.filter((name) => !holds(name))
  const choice = { graphrag: { path: at === '.' ? path : join(path, at) } }
  const own = {
    ...(holds('entities') && holds('relationships') && { graph: choice }),
    ...(holds('entities') && holds('relationships') && holds('communities') && { communities: choice }),
    ...(missing.length === 0 && { reports: choice }),
  }
  return { own, missing: missing.length === GRAPH.length ? [] : missing.map((name) => `${name}.parquet`) }
}

function filesOf(source: Source): { units: string[]; documents: string[]; graph: string[] } {
  const called = (name: string, kind: string) =>
    source.isFolder
      ? source.files.filter((file) => new RegExp(`(?:^|/)(?:create_final_)?${name}\\.${kind}$`).test(file))
      : []
  // Some versions write each table in both forms.
  const texts = (name: string) => {
    const tables = called(name, 'parquet')
    return tables.length > 0 ? tables : called(name, 'csv')
  }
  const units = texts('text_units')
  // Several outputs: none is chosen. One output: the documents next to it.
  const documents = texts('documents').filter((file) => dirname(file) === dirname(units[0] ?? ''))
  return {
    units,
    documents,
    graph: [...called('entities', 'parquet'), ...called('relationships', 'parquet')],
  }
}

/** Id of a text unit's document; CSV prints the list of them. */
function sourceOf(value: Json): string {
  const listed = typeof value === 'string' ? (printedLists(value) ?? value) : value
  return textsOf(listed)[0] ?? ''
}

/** Titles by document id; none if there is no table of documents. */
async function titlesIn(
  path: string,
  file: string | undefined,
  sink: DatasetSink,
): Promise<ReadonlyMap<string, string>> {
  const rows: readonly Row[] = file === undefined ? [] : await readRows(path, file, sink)
  return new Map(
    rows.map(({ fields }) => [textsOf(fields.id)[0] ?? '', textsOf(fields.title)[0] ?? ''] as const),
  )
}
