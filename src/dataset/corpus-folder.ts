import { z } from 'zod'
import { wellFormed } from '../text/well-formed.ts'
import type { Document } from '../types.ts'
import { readQuestions } from './folder/questions.ts'
import { policyShape } from './policies.ts'
import type { DataLocation, DatasetSink } from './sink.ts'

/** Folders of other systems that hold texts and no questions. */

export interface CorpusText {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly location: DataLocation
}

/** Params of a format that holds texts and no questions. */
export const corpusShape = {
  path: z.string().describe('the folder'),
  questions: z
    .string()
    .optional()
    .meta({ path: true })
    .describe(
      'questions as JSONL, CSV, TSV or XLSX; gold is named by `file` (the id of a text), heading and quote',
    ),
  ...policyShape,
}

/** Hands the texts to a sink, and the questions, if there is a file of them, with gold as spans. */
export async function takeCorpus(
  texts: readonly CorpusText[],
  questions: string | undefined,
  sink: DatasetSink,
): Promise<void> {
  const documents = texts.map(({ id, title, text }): Document => {
    return { id: wellFormed(id), title: wellFormed(title), text: wellFormed(text), metadata: {} }
  })
  for (const [index, document] of documents.entries()) sink.document(document, texts[index].location)
  if (questions === undefined)
    return sink.notice('it holds no questions: it can be prepared and asked; `questions: FILE` adds some')
  sink.judged('span')
  await readQuestions(questions, documents, sink)
}
