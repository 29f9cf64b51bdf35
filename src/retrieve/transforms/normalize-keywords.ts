import { z } from 'zod'
import { headingKeywords, type KeywordTable } from '../../corpus/corpus.ts'
import { phraseKey } from '../../text/phrases.ts'
import type { Query } from '../../types.ts'
import { defineStep } from '../step.ts'
import { defineQueryTransform } from './index.ts'

const MAX_WORDS = 8

const recase = defineStep({
  name: 'normalize-keywords',
  version: 2,
  yields: 'query',
  artifacts: (recipe) => ({ keywords: headingKeywords(recipe) }),
  run([query]: [Query], { artifacts: { keywords } }): Query {
    const text = recased(query.text, keywords)
    return query.lexical === undefined
      ? { ...query, text }
      : { ...query, text, lexical: recased(query.lexical, keywords) }
  },
})

/** The text with every known keyword written as the corpus writes it; of overlapping ones the first, then the longest. */
export function recased(text: string, keywords: KeywordTable): string {
  const words = [...text.matchAll(/[^\s.,;:!?()[\]{}"“”]+/gu)]
  let result = ''
  let copied = 0
  for (let at = 0; at < words.length; ) {
    let count = Math.min(MAX_WORDS, words.length - at)
    let keyword: string | undefined
    const start = words[at].index
    for (; count > 0; count--) {
      const last = words[at + count - 1]
      keyword = keywords.get(phraseKey(text.slice(start, last.index + last[0].length)))
      if (keyword !== undefined) break
    }
    if (keyword === undefined) {
      at++
      continue
    }
    const last = words[at + count - 1]
    result += text.slice(copied, start) + keyword
    copied = last.index + last[0].length
    at += count
  }
  return result + text.slice(copied)
}

export default defineQueryTransform({
  name: 'normalize-keywords',
  summary: "spells keywords in the query as in the corpus's headings",
  source: 'seed document 002',
  params: z.strictObject({}),
  make: () => ({ rewrite: (query) => recase([query]) }),
})
