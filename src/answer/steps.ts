import { chatModel } from '../corpus/chat-model.ts'
import { textUnits } from '../corpus/corpus.ts'
import { embedder } from '../corpus/dense/embeddings.ts'
import { textMatcher } from '../corpus/match-texts.ts'
import type { Choice, Recipe } from '../corpus/recipe.ts'
import { addTo } from '../maps.ts'
import type { CachedModel } from '../models/completions/cached-model.ts'
import type { ChatOutcome } from '../models/completions/chat.ts'
import type { Embedder, EmbedderChoice } from '../models/embedder.ts'
import { resolve } from '../registry.ts'
import { type AnyStep, defineStep, type Expression, type Retrieved, sourceQuery } from '../retrieve/step.ts'
import { askEach, countCompletions } from '../retrieve/steps/asking.ts'
import { type Artifact, defineArtifact, type Inputs } from '../store/artifact.ts'
import { compareIds } from '../text/ids.ts'
import type { Chunk, Evidence, Json, Query, Ranking } from '../types.ts'
import { type AnswerSource, answerers } from './answerers/index.ts'
import {
  type AnswerContext,
  assembleContext,
  type ContextCorpus,
  type ContextParams,
  contextParamsOf,
} from './context.ts'
import { judges } from './judges/index.ts'
import { readLabels } from './judges/judge.ts'
import type { Judgeable } from './measures.ts'

export interface AnswerSteps {
  readonly context: Expression<AnswerContext>
  readonly answer: Expression<ChatOutcome<string>>
}

/** Opened once, since it may read a large file. */
export interface OpenAnswerer {
  readonly params: AnswererParams
  readonly source: AnswerSource
}

type AnswererParams = { readonly name: string; readonly params: Readonly<Record<string, Json>> }

export function openAnswerer(choice: Choice): OpenAnswerer {
  const { definition, params } = resolve(answerers, choice)
  return { params: { name: choice.name, params }, source: definition.make(params) }
}

/** `top`: chunks of a context, unless the params say. */
export function answerSteps(
  { params, source }: OpenAnswerer,
  { ranking, evidence }: Retrieved,
  top: number,
): AnswerSteps {
  const query = sourceQuery(ranking.recipe)
  const context = source.closedBook
    ? readElsewhere(source)([query], params)
    : assemble(evidence ? [ranking, evidence] : [ranking], { ...contextParamsOf(params.params, top) })
  return { context, answer: write(source)([query, context], params) }
}

const assemble = defineStep<
  ContextParams & Json,
  readonly [Ranking, (readonly Evidence[])?],
  AnswerContext,
  { readonly corpus: Artifact<ContextCorpus> }
>({
  name: 'context',
  version: 1,
  artifacts: (recipe) => ({ corpus: contextCorpus(recipe) }),
  run: ([{ rows }, evidence = []], { params, artifacts }) =>
    assembleContext(rows, evidence, artifacts.corpus, params),
})

/** Passages that another system sent, with the chunks that they equal; none for a closed book. */
const readElsewhere = (source: AnswerSource) =>
  defineStep<
    AnswererParams,
    readonly [Query],
    AnswerContext,
    { readonly match: ReturnType<typeof chunkMatcher> }
  >({
    name: 'context',
    version: 1,
    artifacts: (recipe) => ({ match: chunkMatcher(recipe) }),
    run([{ text }], { artifacts }) {
      const { passages, tokens } = source.context?.(text) ?? { passages: [], tokens: 0 }
      return {
        tokens,
        passages: passages.map((passage) => ({ ...passage, rows: artifacts.match(passage.text) })),
      }
    },
  })

const write = (source: AnswerSource) =>
  defineStep<AnswererParams, readonly [Query, AnswerContext], ChatOutcome<string>, Inputs>({
    name: 'answer',
    version: 1,
    asks: true,
    artifacts(recipe, { params: { model, mapModel } }) {
      const open = (name: Json | undefined) => typeof name === 'string' && chatModel(recipe, name)
      const models = { model: open(model), mapModel: open(mapModel) }
      return Object.fromEntries(Object.entries(models).filter(([, model]) => model)) as Inputs
    },
    facts: ({ completions, fellBack }) => ({ counts: countCompletions(completions), fellBack }),
    runBlock(block, { artifacts }) {
      const { model, mapModel } = artifacts as Readonly<Record<string, CachedModel | undefined>>
      return askEach(block, [model, mapModel], ([{ text }, context], ...chats) =>
        source.answer(text, context, ...chats),
      )
    },
  })

/** A judge as a step over an answer with its labels, which no step of a trial sees. */
export function judgeStep(choice: Choice, recipe: Recipe) {
  const { definition, params } = resolve(judges, choice)
  const { model, embedder: chosen } = params
  const vectors = (chosen as unknown as EmbedderChoice | undefined) ?? recipe.embedder
  const step: AnyStep = {
    name: choice.name,
    version: 1,
    asks: true,
    runBlock(block: readonly (readonly [Judgeable])[], { artifacts }) {
      const { model, vectors } = artifacts as { readonly model?: CachedModel; readonly vectors?: Embedder }
      return askEach(block, [model], ([answer], chat) =>
        definition.judge(answer, params, { chat, embed: vectors?.embed }),
      )
    },
  }
  return {
    step,
    labels: typeof params.labels === 'string' ? readLabels(params.labels) : null,
    artifacts: {
      ...(typeof model === 'string' && { model: chatModel(recipe, model) }),
      ...(definition.embeds && { vectors: embedder(recipe, vectors, 'query') }),
    },
  }
}

export function contextCorpus(recipe: Recipe): Artifact<ContextCorpus> {
  return ofChunks('context_corpus', recipe, (chunks) => {
    const byDocument = new Map<string, number[]>()
    for (const [row, { documentId }] of chunks.entries()) addTo(byDocument, documentId, row)
    for (const rows of byDocument.values())
      rows.sort((a, b) => chunks[a].position - chunks[b].position || compareIds(chunks[a].id, chunks[b].id))
    return { chunks, rowsOf: (id) => byDocument.get(id) ?? [] }
  })
}

function chunkMatcher(recipe: Recipe): Artifact<(text: string) => readonly number[]> {
  return ofChunks('chunk_matcher', recipe, (chunks) => {
    // Made for the first text: most answerers without retrieval send none.
    let match: ReturnType<typeof textMatcher> | undefined
    return (text) => {
      match ??= textMatcher(chunks)
      return match(text)
    }
  })
}

/** View of the chunks that is stored nowhere. */
function ofChunks<T>(name: string, recipe: Recipe, open: (chunks: readonly Chunk[]) => T): Artifact<T> {
  const inputs = { chunks: textUnits(recipe) }
  return defineArtifact({
    name,
    version: 1,
    params: null,
    inputs,
    open: async (_, { chunks }) => open(await chunks()),
  })
}
