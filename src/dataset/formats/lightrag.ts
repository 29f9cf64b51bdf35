import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { isMap } from '../../text/json.ts'
import type { Json } from '../../types.ts'
import { textsOf } from '../contexts.ts'
import { type CorpusText, corpusShape, takeCorpus } from '../corpus-folder.ts'
import { defineDatasetFormat, type OwnGraph, ownGraphInWords } from '../format.ts'
import { readJsonObject } from '../rows.ts'

const FILES = { chunk: 'kv_store_text_chunks.json', document: 'kv_store_full_docs.json' } as const

const GRAPH = 'graph_chunk_entity_relation.graphml'

/** Working folder of LightRAG or nano-graphrag: `kv_store_text_chunks.json` and `kv_store_full_docs.json`, texts by id. */
export const lightragDataset = defineDatasetFormat({
  name: 'lightrag',
  summary: 'working folder of LightRAG or nano-graphrag as a corpus: text chunks, or whole documents',
  drops: 'vectors and caches of completions; the graph is of `prepare`',
  params: z.strictObject({
    ...corpusShape,
    unit: z
      .enum(['chunk', 'document'])
      .default('chunk')
      .describe("unit of the corpus; the folder's graph fits chunks only"),
  }),
  sniff: ({ files, isFolder }) => {
    const own = files.filter((file) => [...Object.values<string>(FILES), GRAPH].includes(file))
    return isFolder && own.length > 0 ? { files: own } : undefined
  },
  async load({ path, questions, unit }, sink, reading) {
    const file = FILES[unit]
    const whole = readJsonObject(join(path, file), sink)
    if (!whole) return
    const texts = Object.entries(whole).flatMap(([id, value]): CorpusText[] => {
      if (isMap(value) && typeof value.content === 'string') {
        const [name = ''] = textsOf(value.file_path as Json)
        const title = name === 'unknown_source' ? '' : (name.split(/[/\\]/).pop() ?? '')
        return [{ id, title, text: value.content, location: { file } }]
      }
      sink.diagnostic({
        file,
        message: `the ${unit} ${JSON.stringify(id.slice(0, 80))} has no text "content"`,
      })
      return []
    })
    if (texts.length === 0 && Object.keys(whole).length === 0)
      sink.diagnostic({ file, message: 'holds no text' })
    await takeCorpus(texts, questions, sink)
    sink.notice(
      `read as a LightRAG or nano-graphrag folder: ${file}; document=key, text=content, title=file_path`,
    )
    const own = lightragGraph(path)
    sink.notice(ownGraphInWords(own, reading, own.graph ? [] : [GRAPH]))
  },
  graph: ({ path }) => lightragGraph(path),
})

/** Graph and, of nano-graphrag, communities and reports of a working folder. */
function lightragGraph(path: string): OwnGraph {
  if (!existsSync(join(path, GRAPH))) return {}
  const own = { graph: { lightrag: { path } } }
  if (!existsSync(join(path, 'kv_store_community_reports.json'))) return own
  const choice = { 'nano-graphrag': { path } }
  return { ...own, communities: choice, reports: choice }
}
