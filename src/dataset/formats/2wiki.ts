import { z } from 'zod'
import { defineDatasetFormat } from '../format.ts'
import { policyShape } from '../policies.ts'
import { readSupportingFacts, writeSupportingFacts } from '../supporting-facts.ts'

/** 2WikiMultiHopQA's own JSON (Ho et al., COLING 2020): HotpotQA's form, sentences without the space between them. */
export const twoWiki = defineDatasetFormat({
  name: '2wiki',
  summary: 'original JSON of 2WikiMultiHopQA; the corpus is the union of its contexts',
  params: z.strictObject({
    path: z.string().describe('the JSON or JSONL file, plain or .gz'),
    ...policyShape,
  }),
  load: ({ path }, sink) => readSupportingFacts(path, ' ', sink),
  write: (dataset) => writeSupportingFacts('2wiki', dataset),
})
