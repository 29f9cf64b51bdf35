import { dirname, join } from 'node:path'
import { z } from 'zod'
import { readBytes } from '../../store/input.ts'
import type { CorpusText } from '../corpus-folder.ts'
import { corpusShape, takeCorpus } from '../corpus-folder.ts'
import { defineDatasetFormat } from '../format.ts'
import { openSource, type Source } from '../source.ts'

/** Object of a class that a pickle names: its fields, and the arguments of its constructor. */
interface Pickled {
  readonly args?: readonly unknown[]
  readonly [field: string]: unknown
}

/**
 * Working folder of fast-graphrag: `chunks_kv_data.pkl`, a pickle of `(chunk by index, free indexes, index by id)`. The parser
 * builds data only: no class or function that the pickle names is called.
 */
export const fastGraphrag = defineDatasetFormat({
  name: 'fast-graphrag',
  summary: 'working folder of fast-graphrag as a corpus: its chunks',
  drops: 'graph, vectors, metadata of chunks',
  params: z.strictObject(corpusShape),
  sniff: (source) => {
    const files = filesOf(source)
    return files.length > 0 ? { files } : undefined
  },
  async load({ path, questions }, sink) {
    const [file, ...others] = filesOf(openSource(path))
    if (file === undefined)
      return sink.diagnostic({
        file: 'chunks_kv_data.pkl',
        message: 'is missing from this fast-graphrag folder',
      })
    if (others.length > 0)
      return sink.diagnostic({
        file: path,
        message: `holds ${others.length + 1} checkpoints of fast-graphrag: ${[file, ...others].map(dirname).join(', ')}; give the path of one`,
      })
    const texts = await chunksIn(join(path, file)).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      sink.diagnostic({ file, message: `is no readable pickle of fast-graphrag: ${reason}` })
      return []
    })
    await takeCorpus(
      texts.map((one) => ({ ...one, location: { file } })),
      questions,
      sink,
    )
    sink.notice(`read as a fast-graphrag folder: ${file}; document=id, text=content`)
    sink.notice(
      'its graph (graph_igraph_data.pklz) is not opened: a pickle runs the code that it names. igraph writes it as GraphML, which `prepare: {graph: {graphml: FILE}}` reads',
    )
  },
})

function filesOf({ files, isFolder }: Source): string[] {
  return isFolder ? files.filter((file) => /(?:^|\/)chunks_kv_data\.pkl$/.test(file)) : []
}

async function chunksIn(path: string): Promise<Omit<CorpusText, 'location'>[]> {
  const { Parser } = await import('pickleparser')
  const whole: unknown = new Parser({ unpicklingTypeOfDictionary: 'Map' }).parse(readBytes(path))
  const chunks: unknown = Array.isArray(whole) ? whole[0] : undefined
  if (!(chunks instanceof Map)) throw new Error('its content is not chunks by index')
  return [...(chunks as ReadonlyMap<unknown, Pickled>).values()].map((chunk) => {
    const id = idIn(chunk?.id)
    if (typeof chunk?.content !== 'string' || id === undefined)
      throw new Error('a chunk has no id or no content')
    return { id, title: '', text: chunk.content }
  })
}

/** A whole number, as such or as a 64-bit integer of NumPy, whose last argument holds its bytes. */
function idIn(id: unknown): string | undefined {
  if (typeof id === 'number' || typeof id === 'bigint' || typeof id === 'string') return String(id)
  const bytes = (id as Pickled | undefined)?.args?.at(-1)
  if (!(bytes instanceof Uint8Array) || bytes.length !== 8) return undefined
  return String(new DataView(bytes.buffer, bytes.byteOffset, 8).getBigInt64(0, true))
}
