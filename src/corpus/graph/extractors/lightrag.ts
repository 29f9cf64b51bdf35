import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { UserError } from '../../../errors.ts'
import { hashFile, readText } from '../../../store/input.ts'
import { parseJson } from '../../../text/json.ts'
import { type ForeignGraph, fromFiles } from '../foreign/graph.ts'
import { readGraphml } from '../foreign/graphml.ts'
import { defineExtractor } from './index.ts'

const LIGHTRAG_GRAPH = 'graph_chunk_entity_relation.graphml'
const CHUNKS = 'kv_store_text_chunks.json'

export default defineExtractor({
  name: 'lightrag',
  version: 2,
  summary: 'the graph of a LightRAG or nano-graphrag working folder',
  params: z.strictObject({ path: z.string().min(1).describe('the working folder') }),
  only: 'path',
  files: ({ path }) => ({
    graph: hashFile(join(path, LIGHTRAG_GRAPH), 'prepare.graph: lightrag'),
    ...(existsSync(join(path, CHUNKS)) && { chunks: hashFile(join(path, CHUNKS)) }),
  }),
  make: ({ path }) => fromFiles(() => open(path)),
})

function open(path: string): ForeignGraph {
  const file = join(path, LIGHTRAG_GRAPH)
  return { ...readGraphml(file, unquoted), texts: textsIn(join(path, CHUNKS)) }
}

/** Text without the quotation marks that nano-graphrag keeps around names, types and descriptions. */
function unquoted(text: string): string {
  return /^"[^"]*"$/.test(text) ? text.slice(1, -1) : text
}

function textsIn(file: string): Map<string, string> {
  if (!existsSync(file)) return new Map()
  const { value, diagnostic } = parseJson(readText(file))
  if (diagnostic) throw new UserError({ file, ...diagnostic })
  const entries = Object.entries((value ?? {}) as Record<string, { readonly content?: unknown }>)
  return new Map(
    entries.flatMap(([id, chunk]) => (typeof chunk?.content === 'string' ? [[id, chunk.content]] : [])),
  )
}
