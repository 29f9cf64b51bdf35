import { join } from 'node:path'
import { z } from 'zod'
import { oneOf } from '../../store/alternates.ts'
import { isMap } from '../../text/json.ts'
import type { Json } from '../../types.ts'
import { textsOf } from '../contexts.ts'
import { type CorpusText, corpusShape, takeCorpus } from '../corpus-folder.ts'
import { defineDatasetFormat, ownGraphInWords } from '../format.ts'
import { idOf, placeOf, readJsonObject } from '../rows.ts'
import { hasKeys, openSource } from '../source.ts'

/** HippoRAG 1's file has the data set before and the number of passages behind. */
const FILE = /^openie_(?:[^/]+_)?results_ner_[^/]*\.json$/

/**
 * HippoRAG's `openie_results_ner_<model>.json`: `{docs: [{idx, passage, extracted_entities, extracted_triples}]}`. A passage
 * is title, line break, text.
 */
export const hipporagDataset = defineDatasetFormat({
  name: 'hipporag',
  summary: "HippoRAG's openie_results_ner_*.json as a corpus: its passages",
  drops: 'nothing; entities and triples are of `prepare.graph`',
  params: z.strictObject({ ...corpusShape, path: z.string().describe('the JSON file, or its folder') }),
  sniff: (source) => {
    const own = source.files.filter((file) => {
      if (source.isFolder && !FILE.test(file)) return false
      const shape = source.shape(file)
      return (
        shape.kind === 'object' && hasKeys(shape, 'docs') && /"extracted_(triples|entities)"/.test(shape.head)
      )
    })
    return own.length === 1 ? { files: own } : undefined
  },
  async load({ path, questions }, sink, reading) {
    const source = openSource(path)
    const place = source.isFolder
      ? join(
          path,
          oneOf(
            path,
            source.files.filter((file) => FILE.test(file)),
          ) ?? '',
        )
      : path
    const { file } = placeOf(place)
    const whole = readJsonObject(place, sink)
    if (!whole) return
    if (!Array.isArray(whole.docs))
      return sink.diagnostic({ file, message: 'has no list "docs" of passages' })
    const texts = whole.docs.flatMap((one: unknown, index): CorpusText[] => {
      const location = { file: `${file}, passage ${index + 1}` }
      const fields = isMap(one) ? one : {}
      const [passage] = textsOf(fields.passage as Json)
      if (passage === undefined) sink.diagnostic({ ...location, message: 'has no text "passage"' })
      const id = idOf((fields.idx ?? null) as Json, 'passage', location, sink)
      if (passage === undefined || id === undefined) return []
      const [, title = '', text = passage] = /^([^\n]{1,200})\n([\s\S]*\S[\s\S]*)$/.exec(passage) ?? []
      return [{ id, title, text, location }]
    })
    await takeCorpus(texts, questions, sink)
    sink.notice(`read as HippoRAG: ${file}; document=idx, title and text=passage (title, line break, text)`)
    sink.notice(ownGraphInWords({ graph: path }, reading))
    const pickles = source.isFolder ? source.files.filter((one) => /\.(?:pickle|pkl)$/.test(one)) : []
    if (pickles.length > 0)
      sink.notice(
        `${pickles.join(', ')} ${pickles.length === 1 ? 'is' : 'are'} not opened: a pickle runs the code that it names`,
      )
  },
  graph: ({ path }) => ({ graph: { openie: { path } } }),
})
