import { z } from 'zod'
import { defineDatasetFormat } from '../format.ts'
import { policyShape } from '../policies.ts'
import { readSupportingFacts, writeSupportingFacts } from '../supporting-facts.ts'

/** HotpotQA's own JSON, distractor setting (Yang et al., EMNLP 2018): sentences bring their spaces along. */
export const hotpotqa = defineDatasetFormat({
  name: 'hotpotqa',
  summary: 'original JSON of HotpotQA, distractor setting; the corpus is the union of its contexts',
  params: z.strictObject({
    path: z.string().describe('the JSON or JSONL file, plain or .gz'),
    ...policyShape,
  }),
  load: ({ path }, sink) => readSupportingFacts(path, '', sink),
  write: (dataset) => writeSupportingFacts('hotpotqa', dataset),
})
