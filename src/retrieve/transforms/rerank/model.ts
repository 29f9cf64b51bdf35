import { openHere, storedCompletions } from '../../../corpus/chat-model.ts'
import { chunkTexts } from '../../../corpus/corpus.ts'
import { denseIndex } from '../../../corpus/dense/dense.ts'
import { embedder } from '../../../corpus/dense/embeddings.ts'
import { indexAnalyzer, indexCounts } from '../../../corpus/lexical/term-counts.ts'
import type { Choice, Recipe } from '../../../corpus/recipe.ts'
import { UserError } from '../../../errors.ts'
import { type CachedModel, cachedModel } from '../../../models/completions/cached-model.ts'
import type { EmbedderChoice } from '../../../models/embedder-choice.ts'
import {
  type EndpointParams,
  identityOfEndpoint,
  openRerankEndpoint,
  priceOfEndpoint,
  rerankAtMost,
} from '../../../models/rerank-endpoint.ts'
import type { Reranker, RerankerDefinition } from '../../../models/reranker.ts'
import { rerankers } from '../../../models/rerankers/index.ts'
import { type Resolved, resolve } from '../../../registry.ts'
import { type Artifact, defineArtifact } from '../../../store/artifact.ts'

/** Local reranker by its name in `rerankers`, or by its kind if that needs no params. */
export function reranker(recipe: Recipe, name: string): Artifact<Reranker> {
  const { definition, params } = kindOf(recipe, name)
  if (!definition.artifact) throw new Error(`the reranker ${name} is behind a server`)
  return definition.artifact(params, {
    texts: chunkTexts(recipe),
    terms: (analysis) => ({
      counts: indexCounts(recipe, analysis),
      analyze: indexAnalyzer(recipe, analysis),
    }),
    vectors(choice = recipe.embedder) {
      return {
        embedder: embedder(recipe, choice, 'query'),
        chunks: denseIndex({ ...recipe, embedder: choice }),
      }
    },
  })
}

/** True if the reranker is behind a server. */
export function isAsked(recipe: Recipe, name: string): boolean {
  return kindOf(recipe, name).definition.wire !== undefined
}

/** Reranker behind a server. Its responses are stored or recorded like a language model's completions. */
export function askedReranker(recipe: Recipe, name: string): Artifact<CachedModel> {
  const { definition, params: given } = kindOf(recipe, name)
  const { wire } = definition
  if (!wire) throw new Error(`the reranker ${name} is behind no server`)
  const params = given as object as EndpointParams
  const identity = identityOfEndpoint(definition.name, params)
  return defineArtifact({
    name: 'asked_reranker',
    version: 1,
    params: null,
    inputs: { answers: storedCompletions(recipe, identity) },
    async open(_folder, inputs) {
      return cachedModel({
        name,
        identity,
        params: {},
        completions: await inputs.answers(),
        open: () => openHere(() => openRerankEndpoint(wire, params, `the reranker \`${name}\``)),
        concurrency: params.concurrency,
        price: priceOfEndpoint(params),
        atMost: ({ messages }) => rerankAtMost(messages, wire.passages),
      })
    },
  })
}

/** Embedder of the query that a reranker uses, if any. */
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
