import type { Choice } from '../corpus/recipe.ts'
import { rerankers } from '../models/rerankers/index.ts'
import { didYouMean } from '../text/nearest.ts'
import type { Json } from '../types.ts'

/** The rerankers of a config by the name that it gives each; `content` is what a trial's id sees of one. */
export type Rerankers = ReadonlyMap<string, { readonly choice: Choice; readonly content: Json }>

/** Kinds that may be named without a line in `rerankers`. */
const BARE = rerankers.all.filter(({ params }) => params.safeParse({}).success).map(({ name }) => name)

/** What is wrong with the name of a reranker; undefined where it is one. `raw` is what stands at `rerankers`. */
export function rerankerProblem(name: string, raw: Record<string, unknown>): string | undefined {
  if (Object.hasOwn(raw, name) || BARE.includes(name)) return undefined
  const names = Object.keys(raw)
  const known = names.length === 0 ? 'the config names none' : `\`rerankers\` names ${names.join(', ')}`
  return `there is no reranker \`${name}\`${didYouMean(name, [...names, ...BARE])}; ${known}, and ${BARE.join(', ')} need no line there`
}

/** What of a reranker decides its scores, as a trial's id sees it. */
export function rerankerContent(name: string, known: Rerankers): Json {
  return known.get(name)?.content ?? [name, {}]
}
