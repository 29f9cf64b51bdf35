import type { GoldSpan } from '../dataset/types.ts'
import type { Document } from '../types.ts'

/** Kinds of questions that rules draft. */
export const RULE_KINDS = ['definition', 'table', 'faq'] as const
/** Kinds of questions that a language model drafts. */
export const MODEL_KINDS = ['fact', 'passages', 'comparison', 'unanswerable'] as const
export type Kind = (typeof RULE_KINDS)[number] | (typeof MODEL_KINDS)[number]

/** A question that nobody asked, with the passages that answer it; all of them are needed. */
export interface Draft {
  readonly kind: Kind
  readonly text: string
  /** Empty for an unanswerable question. */
  readonly gold: readonly GoldSpan[]
  readonly answer?: string
  /** Documents that the question was drafted from. */
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

/** Keeps the drafts without a reason to drop them. */
export function keep(drafts: readonly Draft[], reasonOf: (draft: Draft) => string | undefined): Drafted {
  const kept: Draft[] = []
  const dropped: Dropped[] = []
  for (const draft of drafts) {
    const reason = reasonOf(draft)
    if (reason === undefined) kept.push(draft)
    else dropped.push({ draft, reason })
  }
  return { drafts: kept, dropped }
}

/** Drafts questions from the text of documents. */
export type Drafter = (documents: readonly Document[]) => Draft[]
