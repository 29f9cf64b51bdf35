import type { GoldSpan } from '../dataset/types.ts'
import type { Document } from '../types.ts'

export const RULE_KINDS = ['definition', 'table', 'faq'] as const
export const MODEL_KINDS = ['fact', 'passages', 'comparison', 'unanswerable'] as const
export type Kind = (typeof RULE_KINDS)[number] | (typeof MODEL_KINDS)[number]

/** A question that nobody asked, with the passages that answer it; all of them are needed. */
export interface Draft {
  readonly kind: Kind
  readonly text: string
  readonly gold: readonly GoldSpan[]
  readonly answer?: string
  readonly from: readonly string[]
}

export interface Dropped {
  readonly draft: Pick<Draft, 'kind' | 'text' | 'from'>
  readonly reason: string
}

/** Drafts and dropped questions; a filter takes the first and adds to the second. */
export interface Drafted {
  readonly drafts: readonly Draft[]
  readonly dropped: readonly Dropped[]
}

export function keep(drafts: readonly Draft[], reasonOf: (draft: Draft) => string | undefined): Drafted {
  const accepted: Draft[] = []
  const dropped: Dropped[] = []
  for (const draft of drafts) {
    const reason = reasonOf(draft)
    if (reason === undefined) accepted.push(draft)
    else dropped.push({ draft, reason })
  }
  return { drafts: accepted, dropped }
}

export type Drafter = (documents: readonly Document[]) => Draft[]

/** Lines of a questions file that `dataset: {folder, questions}` reads; every question says that it is synthetic. */
export function questionLines(drafts: readonly Draft[], texts: ReadonlyMap<string, string>): string {
  const digits = String(drafts.length).length
  return drafts
    .map(({ kind, text, gold, answer }, index) => {
      const metadata = {
        category: kind,
        synthetic: `touchstone questions draft: ${kind}`,
        ...(answer !== undefined && { answers: [answer] }),
        ...(gold.length === 0 && { answerable: false }),
      }
      return `${JSON.stringify({
        _id: `draft-${String(index + 1).padStart(digits, '0')}`,
        text,
        metadata,
        gold: gold.map(({ documentId, start, end }) => ({
          file: documentId,
          quote: (texts.get(documentId) ?? '').slice(start, end),
        })),
      })}\n`
    })
    .join('')
}
