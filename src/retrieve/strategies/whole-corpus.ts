import { z } from 'zod'
import { takeAll } from '../steps/corpus.ts'
import { defineStrategy } from './define.ts'

/**
 * Every chunk in the order of the corpus, all of it sent: what retrieval is spared for, and what that costs. It is scored
 * as the list it is, uncut: its first ranks are the corpus's first chunks, and it finds all gold within a token budget
 * that holds the corpus.
 */
export const wholeCorpus = defineStrategy({
  name: 'whole-corpus',
  summary: 'every chunk in corpus order, all sent: the upper limit of recall and cost',
  source: 'Touchstone; the long context that retrieval is compared with',
  params: z.strictObject({}),
  retrieve({ query }) {
    return { ranking: takeAll([query], null), sendsAll: true }
  },
})
