import { z } from 'zod'
import { defineDatasetFormat, oneFile } from '../format.ts'
import { policyShape } from '../policies.ts'
import {
  isSupportingFacts,
  isTwoWiki,
  readSupportingFacts,
  writeSupportingFacts,
} from '../supporting-facts.ts'

/** HotpotQA's own JSON, distractor setting (Yang et al., EMNLP 2018): sentences bring their spaces along. */
export const hotpotqa = defineDatasetFormat({
  name: 'hotpotqa',
  summary: 'original JSON of HotpotQA, distractor and fullwiki; the corpus is the union of its contexts',
  drops: 'sentence numbers of supporting facts, level',
  params: z.strictObject({
    path: z.string().describe('the JSON or JSONL file, plain or .gz, or a Parquet file of its rows'),
    ...policyShape,
  }),
  sniff: oneFile((shape) => isSupportingFacts(shape) && !isTwoWiki(shape)),
  load: ({ path }, sink) => readSupportingFacts(path, '', sink),
  write: (dataset) => writeSupportingFacts('hotpotqa', dataset),
})
