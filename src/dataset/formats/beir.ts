import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { didYouMean } from '../../text/nearest.ts'
import { defineDatasetFormat } from '../format.ts'
import type { Intake } from '../intake.ts'
import { readJudgedQueries, readJudgements, readSpans } from '../judgement-lines.ts'
import { eachLine, findFile } from '../lines.ts'
import { policyShape } from '../policies.ts'
import { documentOf, parseRecord, queryOf } from '../records.ts'

/**
 * A BEIR folder (Thakur et al., NeurIPS 2021), each file plain or `.gz`:
 *
 *     corpus.jsonl       {"_id", "title" (optional), "text", "metadata" (optional object)}
 *     queries.jsonl      {"_id", "text", "metadata": {"category", "answers", "answerable"} (each optional)}
 *     qrels/<split>.tsv  query-id, corpus-id, score; our optional fourth column `group` names alternatives
 *     qrels/spans.tsv    (ours, optional) query-id, corpus-id, start, end: gold as spans of characters
 */
export const beir = defineDatasetFormat({
  name: 'beir',
  summary: 'a BEIR folder: corpus.jsonl, queries.jsonl, qrels/<split>.tsv',
  params: z.strictObject({
    path: z.string().describe('the folder'),
    split: z
      .string()
      .regex(/^[\w.-]+$/, 'must be the name of a file in qrels/, without .tsv')
      .default('test')
      .describe('which file of qrels/'),
    judged: z
      .enum(['document', 'chunk', 'span'])
      .optional()
      .describe('what is judged; spans where qrels/spans.tsv is there, else documents'),
    ...policyShape,
  }),
  detect: (path) => findFile(path, 'corpus.jsonl') !== undefined,
  async load({ path, split, judged }, intake) {
    const corpus = required(path, 'corpus.jsonl', intake)
    const queries = required(path, 'queries.jsonl', intake)
    if (corpus)
      await eachLine(path, corpus, intake, (text, line) => {
        const location = { file: corpus, line }
        const fields = parseRecord(text, location, intake)
        const document = fields && documentOf(fields, { id: '_id' }, location, intake)
        if (document) intake.document(document, location)
      })
    if (queries)
      await eachLine(path, queries, intake, (text, line) => {
        const location = { file: queries, line }
        const fields = parseRecord(text, location, intake)
        const query = fields && queryOf(fields, { id: '_id' }, location, intake)
        if (query) intake.query(query, location)
      })
    const spans = findFile(path, 'qrels/spans.tsv')
    const unit = judged ?? (spans ? 'span' : 'document')
    intake.judged(unit)
    if (unit === 'span') {
      if (spans) await readSpans(path, spans, intake)
      else intake.mistake({ file: 'qrels/spans.tsv', message: 'is missing, and `judged: span` asks for it' })
    }
    await readSplit(path, split, unit === 'span', intake)
  },
})

async function readSplit(path: string, split: string, optional: boolean, intake: Intake): Promise<void> {
  const file = findFile(path, `qrels/${split}.tsv`)
  const splits = splitsOf(path)
  if (file) await readJudgements(path, file, intake)
  else if (!optional) {
    const others = splits.length > 0 ? `; the folder has ${splits.join(', ')}` : ''
    intake.mistake({ file: `qrels/${split}.tsv`, message: `is missing${didYouMean(split, splits)}${others}` })
  }
  for (const other of splits) {
    const judgedThere = other === split ? undefined : findFile(path, `qrels/${other}.tsv`)
    if (judgedThere) await readJudgedQueries(path, judgedThere, intake)
  }
}

function splitsOf(path: string): string[] {
  const folder = join(path, 'qrels')
  const files = existsSync(folder) ? readdirSync(folder).sort() : []
  const names = files.flatMap((file) => /^(.+)\.tsv(?:\.gz)?$/.exec(file)?.[1] ?? [])
  return [...new Set(names)].filter((name) => name !== 'spans')
}

/** The file's name as it lies there; a mistake where it does not. */
function required(path: string, file: string, intake: Intake): string | undefined {
  const found = findFile(path, file)
  if (!found) intake.mistake({ file, message: 'is missing' })
  return found
}
