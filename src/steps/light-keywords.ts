import { embedder } from '../indexes/embedder.ts'
import type { Recipe } from '../indexes/recipe.ts'
import { ENGLISH_STOPWORDS } from '../text/stopwords.ts'
import { tokenize } from '../text/tokenize.ts'
import type { Query } from '../types.ts'
import { namesIn } from './find-names.ts'
import { defineStep } from './step.ts'

/** LightRAG's keywords of a query, joined by `, `; '' where there are none. */
export interface Keywords {
  /** Things: names and dates. */
  readonly low: string
  /** Themes: the other content words. */
  readonly high: string
}

const STOPWORDS = new Set(ENGLISH_STOPWORDS)

/** Keywords by rules: names and dates by their looks; every other word that is no stop word, in order. */
export const findKeywords = defineStep<null, [Query], Record<never, never>, Keywords>({
  name: 'keywords',
  version: 1,
  run([{ text }]) {
    return keywordsOf(text)
  },
})

export function keywordsOf(text: string): Keywords {
  const names = namesIn(text)
  const named = new Set(names.flatMap(tokenize))
  const themes = tokenize(text).filter((word) => !named.has(word) && !STOPWORDS.has(word))
  return { low: names.join(', '), high: [...new Set(themes)].join(', ') }
}

/** One kind of keywords as a vector beside those of entities and relationships; all zeros where there are none. */
export const embedKeywords = defineStep<
  { kind: keyof Keywords },
  [Keywords],
  ReturnType<typeof needs>,
  Float32Array
>({
  name: 'embed-keywords',
  version: 1,
  artifacts: needs,
  async runBlock(block, { params: { kind }, artifacts: { embedder } }) {
    const { embed, dims } = embedder
    const texts = block.map(([keywords]) => keywords[kind])
    const matrix = await embed(texts.filter((text) => text !== ''))
    let next = 0
    return texts.map((text) =>
      text === '' ? new Float32Array(dims) : matrix.slice(next * dims, ++next * dims),
    )
  },
})

function needs(recipe: Recipe) {
  return { embedder: embedder(recipe, recipe.graphEmbedder) }
}
