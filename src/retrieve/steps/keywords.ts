import { findNames } from '../../graph/names.ts'
import { embedder } from '../../prepare/embeddings.ts'
import { sentences } from '../../text/sentences.ts'
import { ENGLISH_STOPWORDS } from '../../text/stopwords.ts'
import { tokenize } from '../../text/tokenize.ts'
import type { Query } from '../../types.ts'
import { defineStep } from '../step.ts'

const NONE: ReadonlyMap<string, number> = new Map()
const STOPWORDS = new Set(ENGLISH_STOPWORDS)

/** The names and dates in a query by how they are written (the extractor `rules`), distinct, in order. */
export const findQueryNames = defineStep<null, [Query], Record<never, never>, readonly string[]>({
  name: 'find-names',
  version: 1,
  run: ([{ text }]) => namesIn(text),
})

/** LightRAG's keywords of a query, joined by `, `; '' where there are none. */
export interface Keywords {
  /** Things: names and dates. */
  readonly low: string
  /** Themes: the other content words. */
  readonly high: string
}

/** Keywords by rules: names and dates; every other word that is no stop word, in order. */
export const findKeywords = defineStep<null, [Query], Record<never, never>, Keywords>({
  name: 'keywords',
  version: 1,
  run: ([{ text }]) => keywordsOf(text),
})

/** One kind of keywords as a vector beside those of entities and relationships; all zeros where there are none. */
export const embedKeywords = defineStep({
  name: 'embed-keywords',
  version: 1,
  artifacts: (recipe, _params: { kind: keyof Keywords }) => ({
    embedder: embedder(recipe, recipe.graphEmbedder),
  }),
  async runBlock(block: readonly (readonly [Keywords])[], { params: { kind }, artifacts: { embedder } }) {
    const { embed, dims } = embedder
    const texts = block.map(([keywords]) => keywords[kind])
    const matrix = await embed(texts.filter((text) => text !== ''))
    let next = 0
    return texts.map((text) =>
      text === '' ? new Float32Array(dims) : matrix.slice(next * dims, ++next * dims),
    )
  },
})

export function keywordsOf(text: string): Keywords {
  const names = namesIn(text)
  const named = new Set(names.flatMap(tokenize))
  const themes = tokenize(text).filter((word) => !named.has(word) && !STOPWORDS.has(word))
  return { low: names.join(', '), high: [...new Set(themes)].join(', ') }
}

function namesIn(text: string): string[] {
  const found = sentences(text).flatMap(({ start, end }) => {
    const sentence = text.slice(start, end)
    return findNames(sentence, NONE).map((name) => sentence.slice(name.start, name.end))
  })
  return [...new Set(found)]
}
