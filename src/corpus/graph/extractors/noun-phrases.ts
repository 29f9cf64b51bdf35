import { createRequire } from 'node:module'
import { z } from 'zod'
import { addTo } from '../../../maps.ts'
import { entityKey } from '../../../text/entity-key.ts'
import { defineExtractor, type Link, type Mention } from './index.ts'

const require = createRequire(import.meta.url)

/** Longest word of a phrase, as in the original: longer ones are addresses and codes. */
const LONGEST = 15

/**
 * Phrases of adjectives and nouns, as in GraphRAG's fast indexing and LazyGraphRAG: microsoft/graphrag v3,
 * index/operations/build_noun_graph, RegexENNounPhraseExtractor, normalize_edge_weights. Pairs that meet no more often
 * than chance are left out.
 *
 *     weight(a, b) = p(a, b) * log2(p(a, b) / (p(a) * p(b)))
 *     p(a, b) = chunks of both / sum over all pairs,   p(a) = chunks of a / sum over all phrases
 */
export default defineExtractor({
  name: 'noun-phrases',
  version: 1,
  summary: 'English noun phrases by parts of speech; related if they share a chunk',
  params: z.strictObject({
    chunks: z.int().min(1).max(1000).default(2).describe('a phrase is in at least this many chunks'),
    prune: z
      .number()
      .min(0)
      .max(100)
      .default(40)
      .describe('share of the lightest relationships to leave out, in percent'),
  }),
  make: ({ chunks: least, prune }) => ({
    extract({ chunks }) {
      const byChunk = chunks.map(({ title, text }) => phrasesOf(`${title}.\n${text}`))
      const holders = new Map<string, number[]>()
      byChunk.forEach((phrases, chunk) => {
        for (const key of phrases.keys()) addTo(holders, key, chunk)
      })
      const frequent = new Map([...holders].filter(([, rows]) => rows.length >= least))
      const mentions = byChunk.flatMap((phrases, chunk) =>
        [...phrases].flatMap(([key, { name, count }]): Mention[] =>
          frequent.has(key) ? [{ name, chunk, count }] : [],
        ),
      )
      const nameOf = new Map<string, string>()
      for (const phrases of byChunk)
        for (const [key, { name }] of phrases) if (!nameOf.has(key)) nameOf.set(key, name)
      const links = relate(
        byChunk.map((phrases) => [...phrases.keys()].filter((key) => frequent.has(key)).sort()),
        frequent,
      )
      const lightest = [...links].map(({ weight }) => weight).sort((a, b) => a - b)
      const limit = lightest[Math.floor((prune / 100) * lightest.length)] ?? Number.POSITIVE_INFINITY
      return {
        mentions,
        links: links
          .filter(({ weight }) => weight >= limit)
          .map(({ source, target, ...rest }) => ({
            source: nameOf.get(source)!,
            target: nameOf.get(target)!,
            ...rest,
          })),
        describe: { separator: ' ', tokens: 0 },
        notices: {
          rarePhrases: holders.size - frequent.size,
          lightRelationships: links.filter(({ weight }) => weight < limit).length,
        },
      }
    },
  }),
})

interface Phrase {
  readonly name: string
  count: number
}

interface Term {
  readonly text: string
  readonly post: string
  readonly tags: readonly string[]
}

/** The package takes quadratic time, so that long texts are cut at blanks. */
const PIECE = /.{1,10000}(?=\s|$)|.{1,10000}/gs

export function phrasesOf(text: string): Map<string, Phrase> {
  // Loaded at the first text: the library's start costs every command what a small experiment costs.
  const nlp = require('compromise/two') as typeof import('compromise/two').default
  const phrases = new Map<string, Phrase>()
  const runs: { readonly terms: readonly Term[] }[] = (text.match(PIECE) ?? []).flatMap((piece) =>
    nlp(piece).match('(#Adjective|#Noun)+').json(),
  )
  for (const { terms } of runs)
    for (const part of partsOf(terms)) {
      if (part.length < 2 && !part.some(({ tags }) => tags.includes('ProperNoun'))) continue
      const name = part
        .map(({ text }) => text)
        .join(' ')
        .replace(/['’]s?$/, '')
      const key = entityKey(name)
      if (key === '' || key.split(' ').some((word) => word.length > LONGEST)) continue
      const phrase = phrases.get(key)
      if (phrase) phrase.count++
      else phrases.set(key, { name, count: 1 })
    }
  return phrases
}

/** A run cut at pronouns and at marks between words, without adjectives at the end. */
function partsOf(terms: readonly Term[]): Term[][] {
  const parts: Term[][] = [[]]
  for (const term of terms) {
    const isPronoun = term.tags.includes('Pronoun')
    if (!isPronoun) parts[parts.length - 1].push(term)
    if (isPronoun || /[^\s.'’-]|\.\s/.test(term.post)) parts.push([])
  }
  return parts.flatMap((part) => {
    const last = part.findLastIndex(({ tags }) => tags.includes('Noun'))
    return last < 0 ? [] : [part.slice(0, last + 1)]
  })
}

function relate(
  phrasesOfChunk: readonly (readonly string[])[],
  holders: ReadonlyMap<string, readonly number[]>,
): Link[] {
  const together = new Map<string, Map<string, number[]>>()
  let pairs = 0
  phrasesOfChunk.forEach((phrases, chunk) => {
    phrases.forEach((a, at) => {
      const row = together.get(a) ?? new Map<string, number[]>()
      together.set(a, row)
      for (const b of phrases.slice(at + 1)) {
        addTo(row, b, chunk)
        pairs++
      }
    })
  })
  const total = [...holders.values()].reduce((sum, { length }) => sum + length, 0)
  const share = (phrase: string) => (holders.get(phrase)?.length ?? 0) / total
  return [...together].flatMap(([source, row]) =>
    [...row].flatMap(([target, chunks]): Link[] => {
      const joint = chunks.length / pairs
      const weight = joint * Math.log2(joint / (share(source) * share(target)))
      const [chunk, ...alsoIn] = chunks
      return weight > 0 ? [{ source, target, predicate: '', chunk, weight, alsoIn }] : []
    }),
  )
}
