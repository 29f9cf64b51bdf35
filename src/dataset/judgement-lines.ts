import { readGrade } from '../text/numbers.ts'
import type { Intake } from './intake.ts'
import { eachLine } from './lines.ts'

const HEADER = /^(query[-_]?id|qid|query)$/i

/** Reads a grade; a mistake and undefined where it is none. */
function gradeOf(text: string, file: string, line: number, intake: Intake): number | undefined {
  const grade = readGrade(text)
  if (grade === undefined)
    intake.mistake({ file, line, message: `a grade must be a whole number of 32 bits, not "${text}"` })
  return grade
}

/**
 * BEIR's judgements: `query-id<TAB>corpus-id<TAB>score`, a header line first or none, and our fourth column `group`:
 * judgements of one query with the same group are alternatives, a group is found when one of them is.
 */
export async function readJudgements(folder: string, file: string, intake: Intake): Promise<void> {
  await eachLine(folder, file, intake, (text, line) => {
    const fields = text.split('\t').map((field) => field.trim())
    if (line === 1 && HEADER.test(fields[0])) return
    if (fields.length !== 3 && fields.length !== 4)
      return intake.mistake({
        file,
        line,
        message: `has ${count(fields.length, 'column')} separated by tabs, not query, document, grade (and group)`,
      })
    const grade = gradeOf(fields[2], file, line, intake)
    const group = fields[3] || undefined
    if (grade !== undefined)
      intake.judgement({ queryId: fields[0], id: fields[1], grade, group }, { file, line })
  })
}

/** TREC's judgements: `query iteration document grade`, between white space. */
export async function readTrecJudgements(folder: string, file: string, intake: Intake): Promise<void> {
  await eachLine(folder, file, intake, (text, line) => {
    const fields = text.trim().split(/\s+/)
    if (fields.length !== 4)
      return intake.mistake({
        file,
        line,
        message: `has ${count(fields.length, 'column')}, not query, iteration, document, grade`,
      })
    const grade = gradeOf(fields[3], file, line, intake)
    if (grade !== undefined) intake.judgement({ queryId: fields[0], id: fields[2], grade }, { file, line })
  })
}

/**
 * Gold spans: `query<TAB>document<TAB>start<TAB>end`, UTF-16 offsets into the document's text, end excluded; a fifth
 * column `group` as in `readJudgements`.
 */
export async function readSpans(folder: string, file: string, intake: Intake): Promise<void> {
  await eachLine(folder, file, intake, (text, line) => {
    const fields = text.split('\t').map((field) => field.trim())
    if (line === 1 && HEADER.test(fields[0])) return
    if (fields.length !== 4 && fields.length !== 5)
      return intake.mistake({
        file,
        line,
        message: `has ${count(fields.length, 'column')} separated by tabs, not query, document, start, end (and group)`,
      })
    const [start, end] = [fields[2], fields[3]].map((field) =>
      /^\d+$/.test(field) ? Number(field) : undefined,
    )
    if (start === undefined || end === undefined)
      return intake.mistake({
        file,
        line,
        message: `start and end must be whole numbers, not "${fields[2]}" and "${fields[3]}"`,
      })
    const group = fields[4] || undefined
    intake.span(fields[0], { documentId: fields[1], start, end }, { file, line }, group)
  })
}

/** The queries that a file of BEIR judgements names, read without checking. */
export async function readJudgedQueries(folder: string, file: string, intake: Intake): Promise<void> {
  await eachLine(folder, file, intake, (text) => intake.elsewhere(text.slice(0, text.indexOf('\t')).trim()))
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}
