import { UserError } from '../errors.ts'
import { sha256 } from '../store/hash.ts'
import type { Document, JudgedQuery } from '../types.ts'
import type { Dataset } from './types.ts'

/**
 * A dataset as questions that bring their passages along, as HotpotQA, 2WikiMultiHopQA and MuSiQue lie on disk. Such a
 * file says nothing of which question a passage without gold was listed with, once the corpus is their union; here these
 * are dealt out to the questions in turn. Read again, the file is the same dataset.
 */
interface WrittenQuestion {
  readonly query: JudgedQuery
  /** Gold first, then what was dealt to the question. */
  readonly passages: readonly QuestionPassage[]
}

interface QuestionPassage {
  readonly document: Document
  readonly gold: boolean
}

/** Maximum number of errors that are listed in full. */
const SHOWN = 20

/**
 * The questions of a dataset, in its order. `byTitle`: gold is named by title, so that a question's passages must not
 * share a title with its gold unless they are gold. `metadata` names the fields of a query that the format holds; `why` says what
 * else of a query it cannot hold, '' where nothing.
 * Throws a UserError with everything that the form has no place for.
 */
export function questionsOf(
  dataset: Dataset,
  format: {
    readonly name: string
    readonly byTitle: boolean
    readonly metadata?: readonly string[]
    why(query: JudgedQuery): string
  },
): WrittenQuestion[] {
  const { documents, queries, qrels } = dataset
  const reasons: string[] = []
  if (dataset.judgedUnit !== 'document') reasons.push(`judges ${dataset.judgedUnit}s, not passages`)
  if (dataset.groups.size > 0) reasons.push('has OR-groups of gold')
  if (queries.length === 0) reasons.push('has no queries')
  for (const { id, title, text, metadata } of documents)
    if (id !== sha256(`${title}\n${text}`).slice(0, 16))
      reasons.push(`document ${quoted(id)}: its id is not the hash of its title and text`)
    else if (Object.keys(metadata).length > 0) reasons.push(`document ${quoted(id)}: has metadata`)
    else if (format.byTitle && text !== text.trim())
      reasons.push(`document ${quoted(id)}: its text begins or ends with white space`)
  const byId = new Map(documents.map((document) => [document.id, document]))
  const questions = queries.map((query) => {
    const reason = reasonOf(query, format.metadata ?? []) || format.why(query)
    if (reason) reasons.push(`query ${quoted(query.id)}: ${reason}`)
    const passages: QuestionPassage[] = []
    for (const [id, grade] of qrels.get(query.id) ?? []) {
      const document = byId.get(id)
      if (!document) reasons.push(`query ${quoted(query.id)}: its gold ${quoted(id)} is not in the corpus`)
      else if (grade !== 1)
        reasons.push(`query ${quoted(query.id)}: ${quoted(id)} has the grade ${grade}, not 1`)
      else passages.push({ document, gold: true })
    }
    return { query, passages }
  })
  const used = new Set(questions.flatMap(({ passages }) => passages.map(({ document }) => document.id)))
  let turn = 0
  for (const document of documents) {
    if (used.has(document.id) || questions.length === 0) continue
    const fits = ({ passages }: WrittenQuestion) =>
      !format.byTitle || passages.every(({ gold, document: { title } }) => !gold || title !== document.title)
    const tried = questions.findIndex((_, step) => fits(questions[(turn + step) % questions.length]))
    if (tried < 0)
      reasons.push(`document ${quoted(document.id)}: its title is that of a gold passage of every query`)
    else questions[(turn + tried) % questions.length].passages.push({ document, gold: false })
    turn++
  }
  if (format.byTitle)
    for (const { query, passages } of questions)
      if (
        passages.some(
          ({ gold, document }) =>
            !gold && passages.some((one) => one.gold && one.document.title === document.title),
        )
      )
        reasons.push(`query ${quoted(query.id)}: a passage that is not gold has the title of its gold`)
  if (reasons.length > 0) {
    const shown = reasons
      .slice(0, SHOWN)
      .map((reason) => `${format.name} cannot hold this data set: ${reason}`)
    const more = reasons.length > SHOWN ? [`and ${reasons.length - SHOWN} more`] : []
    throw new UserError([...shown, ...more].map((message) => ({ message })))
  }
  return questions
}

function reasonOf({ metadata, answerable }: JudgedQuery, held: readonly string[]): string {
  if (!answerable) return 'has no answer'
  return Object.keys(metadata).some((field) => !held.includes(field)) ? 'has metadata' : ''
}

function quoted(id: string): string {
  return `\`${id}\``
}
