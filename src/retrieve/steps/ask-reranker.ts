import { chunkTexts } from '../../corpus/corpus.ts'
import { askedReranker } from '../../corpus/reranker.ts'
import { requireText } from '../../models/chat/json.ts'
import type { CompletionRequest } from '../../models/completions/cached-model.ts'
import { type GivenCompletion, givenBy, together } from '../../models/completions/chat.ts'
import { RERANKING } from '../../models/completions/request.ts'
import { head } from '../../ranking/order.ts'
import type { Query, Ranking } from '../../types.ts'
import { defineStep } from '../step.ts'
import { countCompletions } from './asking.ts'
import type { Scored } from './rerank.ts'

/** Title and text of the first chunks of a ranking, in its order. */
export const candidateTexts = defineStep({
  name: 'candidate-texts',
  version: 1,
  artifacts: (recipe, _params: { readonly depth: number }) => ({ texts: chunkTexts(recipe) }),
  run: ([ranking]: readonly [Ranking], { params: { depth }, artifacts: { texts } }): string[] =>
    Array.from(head(ranking, depth).rows, (row) => texts[row]),
})

/** The scores that a server gave passages for a query. */
interface RerankerReply extends Scored {
  readonly given: GivenCompletion
}

/** What a reranker behind a server scores passages, in their order. Which was found first is no part of the question. */
export const askReranker = defineStep({
  name: 'ask-reranker',
  version: 2,
  artifacts: (recipe, { by }: { readonly by: string }) => ({ model: askedReranker(recipe, by) }),
  asks: true,
  counts: ({ scores, given }: RerankerReply) => countCompletions(scores.length > 0 ? [given] : []),
  runBlock: (block: readonly (readonly [Query, readonly string[]])[], { artifacts: { model } }) =>
    together(block, async ([query, texts]): Promise<RerankerReply> => {
      const answered = await model.ask(askingOf(query, texts))
      const scores = requireText(answered.completion)
      const byText = new Map(sorted(texts).map((text, i) => [text, JSON.parse(scores)[i] as number]))
      return {
        scores: texts.map((text) => byText.get(text) as number),
        given: givenBy(model, answered),
      }
    }),
})

function askingOf({ text }: Query, texts: readonly string[]): CompletionRequest {
  const messages = [text, ...sorted(texts)].map((content) => ({ role: 'user' as const, content }))
  return { prompt: RERANKING, messages, repeat: 0 }
}

/** Each once, by code units: the same passages are one question, whatever found them in which order. */
function sorted(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort()
}
