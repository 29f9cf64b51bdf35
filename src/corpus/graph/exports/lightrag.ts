import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { textUnits } from '../../corpus.ts'
import { graph } from '../artifacts.ts'
import { defineExport } from './define.ts'
import { edgeAttributes, graphmlText, nodeAttributes } from './graphml.ts'
import { networkOf, undirected } from './network.ts'

/**
 * Working folder of LightRAG (1.5): the graph as GraphML, chunks and documents as JSON by id. Its graph is undirected, so that
 * two directions of a pair become one edge. A title is the `file_path` of its chunks. Times are 0, so that equal graphs give equal bytes.
 */
export const lightrag = defineExport({
  name: 'lightrag',
  summary: "LightRAG's working folder: graph, chunks and documents, without vectors",
  folder: true,
  reads: (recipe) => ({
    graph: graph(recipe),
    chunks: textUnits(recipe),
    documents: recipe.documents,
  }),
  write(path, { graph, chunks, documents }) {
    const { nodes, edges } = networkOf({ graph, ids: chunks })
    const titles = new Map(documents.map(({ id, title }) => [id, title || id]))
    const own = { file_path: '', created_at: 0 }
    writeFileSync(
      join(path, 'graph_chunk_entity_relation.graphml'),
      graphmlText(
        'undirected',
        nodes.map((node) => [node.name, { ...nodeAttributes(node), ...own }]),
        undirected(edges).map((edge) => [edge.source, edge.target, { ...edgeAttributes(edge), ...own }]),
      ),
    )
    const json = (name: string, entries: readonly (readonly [string, unknown])[]) =>
      writeFileSync(join(path, name), `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`)
    json(
      'kv_store_text_chunks.json',
      chunks.map((chunk) => [
        chunk.id,
        {
          tokens: chunk.tokens,
          content: chunk.text,
          chunk_order_index: chunk.position,
          full_doc_id: chunk.documentId,
          file_path: titles.get(chunk.documentId),
          llm_cache_list: [],
          create_time: 0,
          update_time: 0,
          _id: chunk.id,
        },
      ]),
    )
    json(
      'kv_store_full_docs.json',
      documents.map((document) => [
        document.id,
        {
          content: document.text,
          file_path: titles.get(document.id),
          create_time: 0,
          update_time: 0,
          _id: document.id,
        },
      ]),
    )
    return ['vectors are not written: LightRAG makes them with an embedder of its own']
  },
})
