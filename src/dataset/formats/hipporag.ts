import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { defineFormat } from '../format.ts'
import { textsOf } from '../mappers.ts'
import { anId } from '../schema.ts'

/** HippoRAG 1's file has the data set before and the number of passages behind. */
const FILE = /^openie_(?:[^/]+_)?results_ner_[^/]*\.json$/

/**
 * HippoRAG's `openie_results_ner_<model>.json`: `{docs: [{idx, passage, extracted_entities, extracted_triples}]}`. A passage
 * is title, line break, text.
 */
export const hipporagDataset = defineFormat({
  name: 'hipporag',
  summary: "HippoRAG's openie_results_ner_*.json as a corpus: its passages",
  drops: 'nothing; entities and triples are of `prepare.graph`',
  path: 'the JSON file, or its folder',
  place: 'either',
  roles: {
    corpus: {
      name: 'openie_results_ner_*.json',
      find({ isFolder, files }) {
        return (isFolder ? files.filter((file) => FILE.test(file)) : files).map((file) => ({ file }))
      },
      rows({ docs }) {
        if (!Array.isArray(docs)) throw new UserError('has no list "docs" of passages')
        return docs
      },
      schema: z.looseObject({ idx: anId, passage: z.string().min(1) }),
    },
  },
  takesQuestions: true,
  recognises({ isFolder, files, shape }) {
    const matches = files.filter((file) => {
      if (isFolder && !FILE.test(file)) return false
      const { kind, keys, head } = shape(file)
      return kind === 'object' && keys.includes('docs') && /"extracted_(triples|entities)"/.test(head)
    })
    return matches.length === 1
  },
  document({ idx, passage }) {
    const [, title = '', text = passage] = /^([^\n]{1,200})\n([\s\S]*\S[\s\S]*)$/.exec(passage) ?? []
    return { id: idx, title, text: textsOf(text)[0] ?? '' }
  },
  notices({ source }) {
    const pickles = source.isFolder ? source.files.filter((file) => /\.(?:pickle|pkl)$/.test(file)) : []
    return pickles.length === 0
      ? []
      : [
          `${pickles.join(', ')} ${pickles.length === 1 ? 'is' : 'are'} not opened: a pickle runs the code that it names`,
        ]
  },
  ownGraph: ({ path }) => ({ own: { graph: { openie: { path } } }, missing: [] }),
})
