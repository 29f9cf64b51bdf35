import { z } from 'zod'
import { takeAll } from '../steps/corpus.ts'
import { defineStrategy } from './index.ts'

export default defineStrategy({
  name: 'whole-corpus',
  summary: 'every chunk in corpus order, all sent: the upper limit of recall and cost',
  source: 'Touchstone; the long context that retrieval is compared with',
  params: z.strictObject({}),
  make: () => ({
    retrieve(query) {
      return { ranking: takeAll([query]), sendsAll: true }
    },
  }),
})
