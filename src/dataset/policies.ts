import { z } from 'zod'

const REFUSE_OR_COUNT = z.enum(['refuse', 'count']).default('refuse')

/** Params that every dataset format takes, in addition to those that locate its files. */
export const policyShape = {
  missingGold: REFUSE_OR_COUNT.describe(
    'gold that the corpus lacks, and questions without gold; `count` reports their number: missing gold counts as not found, questions without gold are left out',
  ),
  emptyDocuments: REFUSE_OR_COUNT.describe(
    'documents without text and title; `count` leaves them out and reports their number',
  ),
  ownDocument: z
    .enum(['drop', 'keep'])
    .optional()
    .describe(
      "the document with the question's own id, as in ArguAna and Quora; `drop` removes it from that question's rankings, as BEIR does; default: it stays, with a warning",
    ),
  labels: z
    .string()
    .optional()
    .meta({ path: true })
    .describe('labels from `touchstone labels export --to labels`, used in place of the gold'),
}

export type Policies = z.output<z.ZodObject<typeof policyShape>>

/** The policies among the params of a format. */
export function policiesOf(params: Readonly<Record<string, unknown>>): Policies {
  const { missingGold, emptyDocuments, ownDocument, labels } = params
  return z.object(policyShape).parse({ missingGold, emptyDocuments, ownDocument, labels })
}
