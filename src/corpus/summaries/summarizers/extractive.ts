import { z } from 'zod'
import { sentences } from '../../../text/sentences.ts'
import type { Analyzer } from '../../../text/tokenize.ts'
import { countTokens } from '../../../text/tokens.ts'
import { clusterParams, defineSummarizer } from './index.ts'

/**
 * Summaries by SumBasic (Nenkova and Vanderwende, MSR-TR-2005-101), in the order of the texts. Taken is the best
 * sentence among those with the term of highest p; the p of its terms is squared. It repeats while a sentence fits into
 * `tokens`; the first always fits.
 *
 *     p(w) = occurrences of the term w / occurrences of all,   weight(s) = mean of p(w) over the terms of s
 */
export default defineSummarizer({
  name: 'extractive',
  version: 1,
  summary: "sentences of the cluster's texts by the frequency of their terms (SumBasic); no model",
  params: z.strictObject({
    ...clusterParams,
    tokens: z.int().min(10).max(10_000).default(100).describe('maximum o200k tokens of a summary'),
  }),
  make: ({ tokens }) => ({
    summarize: ({ clusters, analyze }) => clusters.map((texts) => sumBasic(texts, analyze, tokens)),
  }),
})

export function sumBasic(texts: readonly string[], analyze: Analyzer, tokens: number): string {
  const distinct = new Set(
    texts.flatMap((text) =>
      sentences(text).map(({ start, end }) => text.slice(start, end).replace(/\s+/g, ' ')),
    ),
  )
  const all = [...distinct].map((text) => ({ text, terms: analyze(text), tokens: countTokens(text) }))
  const share = new Map<string, number>()
  const total = all.reduce((sum, { terms }) => sum + terms.length, 0)
  for (const { terms } of all) for (const term of terms) share.set(term, (share.get(term) ?? 0) + 1 / total)
  const shareOf = (term: string) => share.get(term) as number
  const used = new Set<number>()
  let left = tokens
  for (;;) {
    const open = all.flatMap((sentence, place) =>
      !used.has(place) && sentence.terms.length > 0 && (used.size === 0 || sentence.tokens <= left)
        ? [place]
        : [],
    )
    if (open.length === 0) break
    const termsOf = open.flatMap((place) => all[place].terms)
    const top = best(termsOf, shareOf)
    const weight = (place: number) =>
      all[place].terms.reduce((sum, term) => sum + shareOf(term), 0) / all[place].terms.length
    const next = best(
      open.filter((place) => all[place].terms.includes(top)),
      weight,
    )
    used.add(next)
    left -= all[next].tokens
    for (const term of new Set(all[next].terms)) share.set(term, shareOf(term) ** 2)
  }
  // Texts without terms are summarised by their first sentence.
  const chosen = used.size > 0 ? all.filter((_, place) => used.has(place)) : all.slice(0, 1)
  return chosen.map(({ text }) => text).join(' ')
}

function best<T>(items: readonly T[], value: (item: T) => number): T {
  return items.reduce((a, b) => (value(b) > value(a) ? b : a))
}
