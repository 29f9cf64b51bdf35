import { z } from 'zod'
import { openHere, storedCompletions } from '../../corpus/chat-model.ts'
import { chunkTexts } from '../../corpus/corpus.ts'
import { denseIndex } from '../../corpus/dense/dense.ts'
import { embedder } from '../../corpus/dense/embeddings.ts'
import { indexAnalyzer, indexCounts } from '../../corpus/lexical/term-counts.ts'
import type { Choice, Recipe } from '../../corpus/recipe.ts'
import { UserError } from '../../errors.ts'
import { requireText } from '../../models/chat/json.ts'
import {
  type CachedModel,
  type CompletionRequest,
  cachedModel,
} from '../../models/completions/cached-model.ts'
import { type GivenCompletion, givenBy, together } from '../../models/completions/chat.ts'
import { unrecorded } from '../../models/completions/recorded.ts'
import { RERANKING } from '../../models/completions/request.ts'
import type { EmbedderChoice } from '../../models/embedder.ts'
import {
  type EndpointParams,
  identityOfEndpoint,
  openRerankEndpoint,
  priceOfEndpoint,
  type Reranker,
  type RerankerDefinition,
  rerankAtMost,
} from '../../models/reranker.ts'
import { rerankers } from '../../models/rerankers/index.ts'
import { append, head, rankPairs } from '../../ranking/order.ts'
import { type Resolved, resolve } from '../../registry.ts'
import { type Artifact, defineArtifact } from '../../store/artifact.ts'
import type { Query, Ranking } from '../../types.ts'
import { defineStep, type Expression } from '../step.ts'
import { countCompletions } from '../steps/asking.ts'
import { count } from '../steps/params.ts'
import { defineRankingTransform } from './index.ts'

/** Local reranker by its name in `rerankers`, or by its kind if that needs no params. */
export function reranker(recipe: Recipe, name: string): Artifact<Reranker> {
  const { definition, params } = kindOf(recipe, name)
  if (!definition.artifact) throw new Error(`the reranker ${name} is behind a server`)
  return definition.artifact(params, {
    texts: chunkTexts(recipe),
    terms: () => ({ counts: indexCounts(recipe), analyze: indexAnalyzer(recipe) }),
    vectors(choice = recipe.embedder) {
      return {
        embedder: embedder(recipe, choice, 'query'),
        chunks: denseIndex({ ...recipe, embedder: choice }),
      }
    },
  })
}

function isAsked(recipe: Recipe, name: string): boolean {
  return kindOf(recipe, name).definition.wire !== undefined
}

/** Reranker behind a server. Its responses are stored or recorded like a language model's completions. */
function askedReranker(recipe: Recipe, name: string): Artifact<CachedModel> {
  const { definition, params: chosen } = kindOf(recipe, name)
  const { wire } = definition
  if (!wire) throw new Error(`the reranker ${name} is behind no server`)
  const params = chosen as object as EndpointParams
  const identity = identityOfEndpoint(definition.name, params)
  const recording = recipe.rerankers?.[name]?.recording
  return defineArtifact({
    name: 'asked_reranker',
    version: 1,
    params: null,
    inputs: { answers: storedCompletions(identity, recording) },
    async open(_folder, inputs) {
      return cachedModel({
        name,
        identity,
        params: {},
        completions: await inputs.answers(),
        isRecorded: recording !== undefined,
        open: () =>
          recording === undefined
            ? openHere(() => openRerankEndpoint(wire, params, `the reranker \`${name}\``))
            : unrecorded(recording, name),
        concurrency: params.concurrency,
        price: priceOfEndpoint(params),
        atMost: ({ messages }) => rerankAtMost(messages, wire.passages),
      })
    },
  })
}

export function rerankerEmbeds(recipe: Recipe, name: string): Choice | undefined {
  const { definition, params } = kindOf(recipe, name)
  const choice: EmbedderChoice | undefined = definition.embeds?.(params)
  return definition.embeds && (choice ?? recipe.embedder)
}

function kindOf(recipe: Recipe, name: string): Resolved<RerankerDefinition> {
  const choice = recipe.rerankers?.[name]
  if (!choice && !rerankers.byName.has(name))
    throw new UserError(`there is no reranker \`${name}\` in \`rerankers\``)
  return resolve(rerankers, choice ?? { name, params: {} })
}

interface Scored {
  readonly scores: ArrayLike<number>
}

/** `by`: a name in `rerankers`, or a kind of reranker. */
type ScoreParams = { readonly by: string; readonly depth: number }

export const scoreCandidates = defineStep({
  name: 'score-candidates',
  embeds: (recipe, { by }: ScoreParams) => rerankerEmbeds(recipe, by),
  artifacts: (recipe, { by }: ScoreParams) => ({ reranker: reranker(recipe, by) }),
  async run([query, ranking]: [Query, Ranking], { params: { depth }, artifacts }): Promise<Scored> {
    const { rows } = head(ranking, depth)
    return { scores: rows.length > 0 ? await artifacts.reranker.score(query, rows) : [] }
  },
})

type CutParams = { readonly keep?: number; readonly minScore?: number }

const rerankStep = defineStep<CutParams, [Ranking, Scored], Ranking>({
  name: 'rerank',
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

const candidateTexts = defineStep({
  name: 'candidate-texts',
  artifacts: (recipe, _: { readonly depth: number }) => ({ texts: chunkTexts(recipe) }),
  run: ([ranking]: [Ranking], { params: { depth }, artifacts: { texts } }): string[] =>
    Array.from(head(ranking, depth).rows, (row) => texts[row]),
})

interface RerankerReply extends Scored {
  readonly given: GivenCompletion
}

export const askReranker = defineStep({
  name: 'ask-reranker',
  version: 2,
  artifacts: (recipe, { by }: { readonly by: string }) => ({ model: askedReranker(recipe, by) }),
  asks: true,
  facts: ({ scores, given }: RerankerReply) => ({
    counts: countCompletions(scores.length > 0 ? [given] : []),
  }),
  runBlock: (block: readonly [Query, readonly string[]][], { artifacts: { model } }) =>
    together(block, async ([query, texts]): Promise<RerankerReply> => {
      const answered = await model.ask(askingOf(query, texts))
      const scores = requireText(answered.completion)
      const byText = new Map(sorted(texts).map((text, i) => [text, JSON.parse(scores)[i] as number]))
      return { scores: texts.map((text) => byText.get(text) as number), given: givenBy(model, answered) }
    }),
})

function askingOf({ text }: Query, texts: readonly string[]): CompletionRequest {
  const messages = [text, ...sorted(texts)].map((content) => ({ role: 'user' as const, content }))
  return { prompt: RERANKING, messages, repeat: 0 }
}

/** Distinct texts by code units: the same passages in another order are the same request. */
function sorted(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort()
}

export default defineRankingTransform({
  name: 'rerank',
  summary: 'sorts the first chunks by the scores of a reranker',
  source: 'Nogueira and Cho, 2019; seed document 004 (20 candidates, 5 kept, from a score of 0.3)',
  params: z.strictObject({
    by: z
      .string()
      .min(1)
      .default('lexical')
      .meta({ reranker: true })
      .describe('a name in `rerankers`, or a kind that needs no params'),
    top: count(20, 'number of best chunks to score again'),
    keep: z
      .int()
      .min(1)
      .max(1000)
      .optional()
      .describe('chunks to keep of these; default: all, followed by the others'),
    minScore: z
      .number()
      .optional()
      .describe("minimum score, in the reranker's unit; other chunks are dropped"),
  }),
  make: ({ by, top, ...cut }) => ({
    rank(ranking, query) {
      const scored: Expression<Scored> = isAsked(ranking.recipe, by)
        ? askReranker([query, candidateTexts([ranking], { depth: top })], { by })
        : scoreCandidates([query, ranking], { by, depth: top })
      return rerankStep([ranking, scored], cut)
    },
  }),
})
