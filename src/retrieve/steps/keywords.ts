import { z } from 'zod'
import { embedder } from '../../corpus/dense/embeddings.ts'
import { findNames, functionWordsOf, hashNamesFile, recordedNames } from '../../corpus/graph/names.ts'
import { textProfile } from '../../corpus/lexical/text-profile.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import { listOf } from '../../models/chat/json.ts'
import { derived } from '../../store/artifact.ts'
import { sentences } from '../../text/sentences.ts'
import { createAnalyzer, createTokenizer, ENGLISH, type TextProfile } from '../../text/tokenize.ts'
import type { Query } from '../../types.ts'
import { defineStep, type Expression } from '../step.ts'
import { type Asked, askedRole, defineAsking } from './asking.ts'
import { filePath } from './params.ts'

export const namesFile = () =>
  filePath('a file of names in the questions, found by another program; default: by rules')

export function hashNames({ names }: { readonly names?: string | undefined }): Record<string, string> {
  return names === undefined ? {} : { names: hashNamesFile(names) }
}

const NONE: ReadonlyMap<string, number> = new Map()

/**
 * Distinct names in order: those recorded in `file`, else names and dates by how they are written (the extractor
 * `rules`).
 */
export function queryNames(
  query: Expression<Query>,
  file: string | undefined,
): Expression<readonly string[]> {
  if (file === undefined) return findQueryNames([query])
  // A step of its own a file: the path is not part of its key, the content is.
  const step = defineStep({
    name: 'recorded-names',
    artifacts: () => ({ recorded: recordedNames(file) }),
    facts: noteNames,
    run: ([{ text }]: [Query], { artifacts: { recorded } }) => recorded.of(text),
  })
  return step([query])
}

const noteNames = (names: readonly string[]) => ({ notes: { names: names.join(', ') || 'none' } })

const findQueryNames = defineStep({
  name: 'find-names',
  version: 2,
  artifacts: (recipe) => needs(recipe),
  facts: noteNames,
  run: ([{ text }]: [Query], { artifacts: { reader } }): readonly string[] => reader.names(text),
})

/** LightRAG's keywords of a query, joined by `, `. */
interface QueryKeywords {
  /** Things: names and dates. */
  readonly low: string
  /** Themes: the other content words. */
  readonly high: string
}

const findKeywords = defineStep({
  name: 'keywords',
  version: 2,
  artifacts: (recipe) => needs(recipe),
  run: ([{ text }]: [Query], { artifacts: { reader } }) => reader.keywords(text),
})

/** Vector of one kind of keywords, to compare with entities and relationships; all zeros without keywords. */
export const embedKeywords = defineStep({
  name: 'embed-keywords',
  artifacts: (recipe, _: { kind: keyof QueryKeywords }) => ({
    embedder: embedder(recipe, recipe.graphEmbedder, 'query'),
  }),
  async runBlock(block: readonly [QueryKeywords][], { params: { kind }, artifacts: { embedder } }) {
    const { embed, dims } = embedder
    const texts = block.map(([keywords]) => keywords[kind])
    const matrix = await embed(texts.filter((text) => text !== ''))
    let next = 0
    return texts.map((text) =>
      text === '' ? new Float32Array(dims) : matrix.slice(next * dims, ++next * dims),
    )
  },
})

interface Reader {
  names(text: string): string[]
  keywords(text: string): QueryKeywords
}

function needs(recipe: Recipe) {
  return {
    reader: derived('keyword_reader', { profile: textProfile(recipe) }, ({ profile }) => readerOf(profile)),
  }
}

function readerOf(profile: TextProfile = ENGLISH): Reader {
  const functionWords = functionWordsOf(profile)
  const tokens = createTokenizer(profile)
  const words = createAnalyzer({ ...profile, stemmer: false, stopwords: true })
  const names = (text: string) => {
    const names = sentences(text).flatMap(({ start, end }) => {
      const sentence = text.slice(start, end)
      return findNames(sentence, NONE, functionWords).map((name) => sentence.slice(name.start, name.end))
    })
    return [...new Set(names)]
  }
  return {
    names,
    keywords(text) {
      const low = names(text)
      const named = new Set(low.flatMap(tokens))
      const themes = words(text).filter((word) => !named.has(word))
      return { low: low.join(', '), high: [...new Set(themes)].join(', ') }
    },
  }
}

/** Maximum keywords of one level. */
const KEYWORDS = 12

const replySchema = z.strictObject({
  high_level_keywords: listOf(z.string(), KEYWORDS),
  low_level_keywords: listOf(z.string(), KEYWORDS),
})

/** LightRAG's keywords as a model finds them; a question without any is its own low-level keyword, as in the original. */
const askKeywords = defineAsking<Asked, [Query], QueryKeywords>({
  name: 'ask-keywords',
  facts: ({ low, high }) => ({ notes: { 'low-level keywords': low, 'high-level keywords': high } }),
  async ask(chat, [{ text }]) {
    const said = await chat.json(replySchema)
    const low = joined(said.low_level_keywords)
    const high = joined(said.high_level_keywords)
    return low === '' && high === '' ? { low: text, high } : { low, high }
  },
})

const joined = (words: readonly string[]) =>
  [...new Set(words.map((word) => word.trim()))].filter((word) => word !== '').join(', ')

export function keywordsOf(
  query: Expression<Query>,
  role: Parameters<typeof askedRole>[0],
): Expression<QueryKeywords> {
  const keywordRole = askedRole(role, 'light-keywords')
  return keywordRole ? askKeywords([query], keywordRole) : findKeywords([query])
}
