import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { eachJsonLine, hashFile, readText } from '../../store/input.ts'
import { fieldComplaint } from '../../text/schema-words.ts'
import { isRefusal, withoutCitations } from '../citations.ts'
import type { Judgeable } from '../measures.ts'

/** An answer with what people think of it. */
export interface Labelled {
  readonly answer: Judgeable
  readonly label: number
}

/** Param of every judge. */
export const labelsParam = z
  .string()
  .min(1)
  .optional()
  .meta({ path: true })
  .describe("a file of answers labelled by people (JSONL); the report shows the judge's agreement")

export function labelFiles(labels: string | undefined): Readonly<Record<string, string>> {
  if (labels === undefined) return {}
  readLabels(labels)
  return { labels: hashFile(labels) }
}

const line = z.strictObject({
  question: z.string().min(1),
  answer: z.string(),
  references: z.array(z.string()).default([]),
  passages: z.array(z.string()).default([]),
  evidence: z.array(z.string()).optional(),
  label: z.number().min(0).max(1),
})

/** Reads labelled answers, a JSON object per line. Throws a UserError with the errors and their lines. */
export function readLabels(file: string): Labelled[] {
  const found: Labelled[] = []
  eachJsonLine(file, readText(file, 'labelled answers'), (value, wrong) => {
    const { success, data, error } = line.safeParse(value)
    if (success) found.push(labelled(data))
    else for (const issue of error.issues) wrong(fieldComplaint(issue, value))
  })
  if (found.length === 0) throw new UserError({ file, message: 'holds no labelled answer' })
  return found
}

function labelled({
  question,
  answer,
  references,
  passages,
  evidence,
  label,
}: z.output<typeof line>): Labelled {
  const unread = { cited: [], wrong: 0, gold: null, failed: false, answerable: true }
  const text = withoutCitations(answer)
  return {
    answer: {
      ...unread,
      question,
      text,
      refused: isRefusal(answer),
      references,
      passages,
      ...(evidence && { evidence }),
    },
    label,
  }
}
