import { z } from 'zod'
import { takeAll } from '../steps/corpus.ts'
import { defineStrategy } from './index.ts'

/**
 * Every chunk in the order of the corpus, all of it sent. It is scored as the list it is, uncut: it finds all gold
 * within a token budget that holds the corpus.
 */
export default defineStrategy({
  name: 'whole-corpus',
  summary: 'every chunk in corpus order, all sent: the upper limit of recall and cost',
  source: 'Touchstone; the long context that retrieval is compared with',
  params: z.strictObject({}),
  make: () => ({
    retrieve(query) {
      return { ranking: takeAll([query], null), sendsAll: true }
    },
  }),
})
