import { z } from 'zod'
import { listOf } from '../../models/chat/json.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import type { Query } from '../../types.ts'
import type { Expression } from '../step.ts'
import { type Asked, defineAsking } from './asking.ts'
import { findKeywords, type QueryKeywords } from './keywords.ts'
import { askedRole } from './roles.ts'

/** Keywords of one level, far more than a question has. */
const KEYWORDS = 12

const schema = z.strictObject({
  high_level_keywords: listOf(z.string(), KEYWORDS),
  low_level_keywords: listOf(z.string(), KEYWORDS),
})

/** LightRAG's keywords as a model finds them; a question without any is its own low-level keyword, as in the original. */
const askKeywords = defineAsking({
  name: 'ask-keywords',
  facts: ({ low, high }: QueryKeywords) => ({
    notes: { 'low-level keywords': low, 'high-level keywords': high },
  }),
  async ask(
    chat,
    [{ text }]: [Query],
    { params: { template, seed } }: { readonly params: Asked },
  ): Promise<QueryKeywords> {
    const said = await chat.json({ template, values: { query: withoutMarks(text) }, seed }, schema)
    const low = joined(said.low_level_keywords)
    const high = joined(said.high_level_keywords)
    return low === '' && high === '' ? { low: text, high } : { low, high }
  },
})

const joined = (words: readonly string[]) =>
  [...new Set(words.map((word) => word.trim()))].filter((word) => word !== '').join(', ')

/** Keywords of a query by a model if `role` names one, else by rules. */
export function keywordsOf(
  query: Expression<Query>,
  role: Parameters<typeof askedRole>[0],
): Expression<QueryKeywords> {
  const asked = askedRole(role, 'light-keywords')
  return asked ? askKeywords([query], asked) : findKeywords([query])
}
