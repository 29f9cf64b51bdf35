import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { isMap } from '../../text/json.ts'
import { defineFormat } from '../format.ts'
import { textsOf } from '../mappers.ts'

const FILES = { chunk: 'kv_store_text_chunks.json', document: 'kv_store_full_docs.json' } as const
const GRAPH = 'graph_chunk_entity_relation.graphml'

/** Working folder of LightRAG or nano-graphrag: `kv_store_text_chunks.json` and `kv_store_full_docs.json`, texts by id. */
export const lightragDataset = defineFormat({
  name: 'lightrag',
  summary: 'working folder of LightRAG or nano-graphrag as a corpus: text chunks, or whole documents',
  drops: 'vectors and caches of completions; the graph is of `prepare`',
  path: 'the folder',
  params: {
    unit: z
      .enum(['chunk', 'document'])
      .default('chunk')
      .describe("unit of the corpus; the folder's graph fits chunks only"),
  },
  roles: {},
  rolesOf: ({ unit = 'chunk' }: { unit?: keyof typeof FILES }) => ({
    corpus: {
      name: FILES[unit],
      path: new RegExp(`^${FILES[unit]}$`),
      rows: (fields) =>
        Object.entries(fields).map(([id, value]) => (isMap(value) ? { ...value, id } : { id })),
      schema: z.looseObject({ id: z.string(), content: z.string() }),
    },
  }),
  takesQuestions: true,
  least: 0,
  recognises: ({ files }) => [...Object.values<string>(FILES), GRAPH].some((file) => files.includes(file)),
  document({ id, content, file_path: path }) {
    const [name = ''] = textsOf(path)
    return { id, title: name === 'unknown_source' ? '' : (name.split(/[/\\]/).pop() ?? ''), text: content }
  },
  ownGraph({ path }) {
    if (!existsSync(join(path, GRAPH))) return { own: {}, missing: [GRAPH] }
    return { own: { graph: { lightrag: { path } } }, missing: [] }
  },
})
