import { chunkTexts } from '../../../corpus/corpus.ts'
import { requireText } from '../../../models/chat/json.ts'
import type { CompletionRequest } from '../../../models/completions/cached-model.ts'
import { type GivenCompletion, givenBy, together } from '../../../models/completions/chat.ts'
import { RERANKING } from '../../../models/completions/request.ts'
import { head, rankPairs } from '../../../ranking/order.ts'
import { append } from '../../../ranking/rank-list.ts'
import type { Query, Ranking } from '../../../types.ts'
import { defineStep } from '../../step.ts'
import { countCompletions } from '../../steps/asking.ts'
import { askedReranker, reranker, rerankerEmbeds } from './model.ts'

/** Scores of the first chunks of a ranking by a reranker, in the ranking's order. */
export interface Scored {
  readonly scores: ArrayLike<number>
}

/** `by`: a name in `rerankers`, or a kind of reranker. */
type ScoreParams = { readonly by: string; readonly depth: number }

/** The scores of a reranker that computes them here. */
export const scoreCandidates = defineStep({
  name: 'score-candidates',
  version: 1,
  embeds: (recipe, { by }: ScoreParams) => rerankerEmbeds(recipe, by),
  artifacts: (recipe, { by }: ScoreParams) => ({ reranker: reranker(recipe, by) }),
  async run([query, ranking]: readonly [Query, Ranking], { params: { depth }, artifacts }): Promise<Scored> {
    const { rows } = head(ranking, depth)
    return { scores: rows.length > 0 ? await artifacts.reranker.score(query, rows) : [] }
  },
})

type CutParams = { readonly keep?: number; readonly minScore?: number }

/** The first chunks of a ranking in the order of other scores. */
export const rerankStep = defineStep<CutParams, [Ranking, Scored], Record<never, never>, Ranking>({
  name: 'rerank',
  version: 1,
  yields: 'ranking',
  run: ([ranking, { scores }], { params }) => reranked(ranking, scores, params),
})

export function reranked(
  ranking: Ranking,
  scores: ArrayLike<number>,
  { keep, minScore = Number.NEGATIVE_INFINITY }: CutParams,
): Ranking {
  const first = rankPairs(ranking.rows.subarray(0, scores.length), scores, scores.length)
  if (keep === undefined && minScore === Number.NEGATIVE_INFINITY)
    return append(first, ranking, ranking.rows.length)
  const enough = first.scores.filter((score) => score >= minScore).length
  return head(first, Math.min(enough, keep ?? enough))
}

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
  /** Passages of which the server read only the beginning. */
  readonly cutPassages: number | undefined
}

/** Scores of passages by a reranker behind a server, in the order of the passages. The request does not depend on the ranks. */
export const askReranker = defineStep({
  name: 'ask-reranker',
  version: 2,
  artifacts: (recipe, { by }: { readonly by: string }) => ({ model: askedReranker(recipe, by) }),
  asks: true,
  counts: ({ scores, given, cutPassages }: RerankerReply) => ({
    ...countCompletions(scores.length > 0 ? [given] : []),
    ...(cutPassages && { cutPassages }),
  }),
  runBlock: (block: readonly (readonly [Query, readonly string[]])[], { artifacts: { model } }) =>
    together(block, async ([query, texts]): Promise<RerankerReply> => {
      const answered = await model.ask(askingOf(query, texts))
      const scores = requireText(answered.completion)
      const byText = new Map(sorted(texts).map((text, i) => [text, JSON.parse(scores)[i] as number]))
      return {
        scores: texts.map((text) => byText.get(text) as number),
        given: givenBy(model, answered),
        cutPassages: answered.completion.cutPassages,
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
