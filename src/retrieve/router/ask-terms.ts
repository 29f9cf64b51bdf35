import { z } from 'zod'
import { BadCompletion, Unasked } from '../../models/chat/json.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import type { Query } from '../../types.ts'
import { defineAsking } from '../steps/asking.ts'
import type { ExpansionExample } from './expansion-examples.ts'
import { intentOf, type Policies } from './intents.ts'

type Params = {
  readonly model: string
  readonly template: string
  readonly repeat: number
  /** At most so many. */
  readonly terms: number
  readonly policies: Policies
  readonly examples: readonly ExpansionExample[]
}

/** Terms that a model would search for; none, and why, where its answer could not be read. */
export interface AskedTerms {
  readonly terms: readonly string[]
  readonly unread: string | null
}

const schema = z.strictObject({ terms: z.array(z.string()) })

/**
 * Terms for a question by one call of a model, which is told the question's intent and shown examples. An answer that cannot be
 * read gives none: the question's own words are searched for then, as without a model, and the query is counted.
 */
export const askTerms = defineAsking({
  name: 'ask-terms',
  version: 1,
  notes: ({ terms, unread }: AskedTerms) => ({ 'terms of the model': unread ?? terms.join(', ') }),
  async ask(
    chat,
    [{ text }]: readonly [Query],
    { params: { template, repeat, terms: most, policies, examples } }: { readonly params: Params },
  ): Promise<AskedTerms> {
    const shown = examples.map(
      ({ question, terms }) => `Question: ${question}\n${JSON.stringify({ terms: terms.slice(0, most) })}`,
    )
    const values = {
      ...{ query: withoutMarks(text), intent: intentOf(text, policies).name, terms: String(most) },
      examples: shown.join('\n\n'),
    }
    try {
      const { terms } = await chat.json({ template, values, repeat }, schema)
      const named = terms.map((term) => term.trim().slice(0, LONGEST)).filter((term) => term !== '')
      return { terms: [...new Set(named)].slice(0, most), unread: null }
    } catch (error) {
      if (!(error instanceof BadCompletion) || error instanceof Unasked) throw error
      return { terms: [], unread: error.message }
    }
  },
})

/** Characters of a term. */
const LONGEST = 200
