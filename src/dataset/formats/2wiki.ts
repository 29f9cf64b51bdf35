import { z } from 'zod'
import { defineDatasetFormat, oneFile } from '../format.ts'
import { policyShape } from '../policies.ts'
import {
  isSupportingFacts,
  isTwoWiki,
  readSupportingFacts,
  writeSupportingFacts,
} from '../supporting-facts.ts'

/** 2WikiMultiHopQA's own JSON (Ho et al., COLING 2020): HotpotQA's form, sentences without the space between them. */
export const twoWiki = defineDatasetFormat({
  name: '2wiki',
  summary: 'original JSON of 2WikiMultiHopQA; the corpus is the union of its contexts',
  drops: 'sentence numbers of supporting facts',
  params: z.strictObject({
    path: z.string().describe('the JSON or JSONL file, plain or .gz, or a Parquet file of its rows'),
    ...policyShape,
  }),
  sniff: oneFile((shape) => isSupportingFacts(shape) && isTwoWiki(shape) !== false),
  load: ({ path }, sink) => readSupportingFacts(path, ' ', sink),
  write: (dataset) => writeSupportingFacts('2wiki', dataset),
})
