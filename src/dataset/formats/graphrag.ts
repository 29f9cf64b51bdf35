import { dirname, join, posix } from 'node:path'
import { z } from 'zod'
import { printedLists } from '../../text/json.ts'
import type { Json } from '../../types.ts'
import { column, DOCUMENT_TITLE, optional } from '../columns.ts'
import { defineFormat, type OwnGraph, type Params, type Part } from '../format.ts'
import { textsOf } from '../mappers.ts'
import { openSource, type Source } from '../source.ts'

const id = column('id', ['id'], ['chunk_id'])
const UNITS = {
  id,
  text: column('text', ['text'], ['chunk']),
  source: optional(column('source', ['document_id'], ['document_ids'])),
}
const DOCUMENTS = { id, text: column('text', ['text'], ['raw_content']), title: DOCUMENT_TITLE }
const GRAPH = ['entities', 'relationships', 'communities', 'community_reports']

/** Tables of an output: Parquet, else CSV, since some versions write both. */
function tables(source: Source, name: string): string[] {
  const called = (kind: string) =>
    source.files.filter((file) => new RegExp(`(?:^|/)(?:create_final_)?${name}\\.${kind}$`).test(file))
  const parquet = called('parquet')
  return parquet.length > 0 ? parquet : called('csv')
}

function partsOf(source: Source, { unit = 'text-unit' }: Params): Part[] {
  const files = unit === 'document' ? documentsOf(source) : tables(source, 'text_units')
  return files.map((file) => ({ file }))
}

function documentsOf(source: Source): string[] {
  const [units = ''] = tables(source, 'text_units')
  return tables(source, 'documents').filter((file) => dirname(file) === dirname(units))
}

/**
 * Output folder of Microsoft GraphRAG: `text_units` and `documents`, or `create_final_*` before 2.0, as Parquet or CSV. Text units
 * keep their ids, so that the graph of the same output fits.
 */
export const graphragDataset = defineFormat({
  name: 'graphrag',
  summary: "Microsoft GraphRAG's output as a corpus: text units, or whole documents (Parquet, CSV)",
  drops: 'covariates and embeddings; graph, communities and reports are of `prepare`',
  path: 'the folder',
  params: {
    unit: z
      .enum(['text-unit', 'document'])
      .default('text-unit')
      .describe('unit of the corpus; the graph fits text units only'),
  },
  roles: {},
  rolesOf: ({ unit }) => ({
    corpus: {
      name: unit === 'document' ? 'documents.parquet' : 'text_units.parquet',
      find: partsOf,
      columns: unit === 'document' ? DOCUMENTS : UNITS,
      lookUp: {
        files: (source) => documentsOf(source),
        entry: (fields) => [textsOf(fields.id)[0] ?? '', textsOf(fields.title)[0] ?? ''],
      },
    },
  }),
  takesQuestions: true,
  // For half a folder the reader names the missing half.
  least: 0,
  recognises: (source) =>
    tables(source, 'text_units').length > 0 ||
    [...tables(source, 'entities'), ...tables(source, 'relationships')].filter((file) =>
      file.endsWith('.parquet'),
    ).length > 1,
  document: ({ id, text, source, title }, { textOf }) => ({
    id,
    title: textsOf(title)[0] ?? textOf(sourceOf(source)),
    text: textsOf(text)[0] ?? '',
  }),
  notices: ({ source }) =>
    tables(source, 'text_units').some((file) => file.endsWith('.csv'))
      ? ['of GraphRAG output in CSV the texts are read; its graph is read from Parquet']
      : [],
  ownGraph({ path }) {
    const source = openSource(path)
    const units = tables(source, 'text_units')
    if (units.length !== 1) return { own: {}, missing: [] }
    const at = dirname(units[0])
    const holds = (name: string) =>
      ['', 'create_final_'].some((prefix) =>
        source.files.includes(posix.join(at, `${prefix}${name}.parquet`)),
      )
    const missing = GRAPH.filter((name) => !holds(name))
    const choice = { graphrag: { path: at === '.' ? path : join(path, at) } }
    const recipe: OwnGraph = {
      ...(holds('entities') && holds('relationships') && { graph: choice }),
      ...(holds('entities') && holds('relationships') && holds('communities') && { communities: choice }),
      ...(missing.length === 0 && { reports: choice }),
    }
    return {
      own: recipe,
      missing: missing.length === GRAPH.length ? [] : missing.map((name) => `${name}.parquet`),
    }
  },
})

function sourceOf(value: Json | undefined): string {
  const listed = typeof value === 'string' ? (printedLists(value) ?? value) : value
  return textsOf(listed)[0] ?? ''
}
