import { type AnswerSource, answerers } from '../../../answer/answerers/index.ts'
import { isRefusal, withoutCitations } from '../../../answer/citations.ts'
import { type AnswerContext, contextParamsOf, passageText } from '../../../answer/context.ts'
import { judges } from '../../../answer/judges/index.ts'
import { readLabels } from '../../../answer/judges/judge.ts'
import type { Judgeable } from '../../../answer/measures.ts'
import { chatModel } from '../../../corpus/chat-model.ts'
import { chunkSpans } from '../../../corpus/corpus.ts'
import { withChats } from '../../../models/completions/chat.ts'
import { resolve } from '../../../registry.ts'
import { forOneQuery } from '../../../retrieve/run-step.ts'
import { countTokens } from '../../../text/tokens.ts'
import type { OpenExperiment } from '../open.ts'
import { MAX_FINALISTS } from '../plan.ts'
import { type Chain, filler, type Tally } from './calls.ts'

type Params = Readonly<Record<string, unknown>>

interface Sample extends Pick<Judgeable, 'question' | 'references' | 'evidence'> {
  readonly context: AnswerContext
  readonly times: number
}

const PIECE = 20
/** Tokens of a chunk's headings: `maxTokens` includes them, a chunk's length does not. */
const HEADINGS = 30

/**
 * Counts calls of answerers and judges, by running them with models that return the longest possible completion. Each
 * finalist and query has the longest question and context.
 */
export async function countAnswers(open: OpenExperiment, tally: Tally): Promise<void> {
  const { experiment, recipes, store } = open
  const openModel = async (name: unknown) =>
    typeof name === 'string' ? store.open(chatModel(recipes[0], name)) : undefined
  const answers: { readonly answer: Judgeable; readonly chain: Chain }[] = []
  for (const { choice } of experiment.answering) {
    const { definition, params } = resolve(answerers, choice)
    const source = definition.make(params)
    const models = [await openModel(params.model), await openModel(params.mapModel)]
    for (const { context, times, ...query } of await samplesOf(open, source, params)) {
      const chain = { times, unlimited: false }
      const counting = models.map((model) => model && tally.wrap('answers', chain)(model))
      const outcome = await forOneQuery(async () =>
        withChats(counting, (...chats) => source.answer(query.question, context, ...chats)),
      )
      const passages = context.passages.map(passageText)
      const failed = !('value' in outcome)
      const written = failed ? '' : outcome.value.value
      // Without a model, an answer may be its whole context.
      const text = models[0] || source.closedBook ? written : passages.join('\n')
      const refused = isRefusal(text)
      const unread = { cited: [], wrong: 0, gold: null, answerable: query.references.length > 0 }
      answers.push({
        chain,
        answer: { ...query, ...unread, text: withoutCitations(text), passages, refused, failed },
      })
    }
  }
  for (const { choice } of experiment.judging) {
    const { definition, params } = resolve(judges, choice)
    const model = await openModel(params.model)
    if (!model) continue
    const labelled = typeof params.labels === 'string' ? readLabels(params.labels) : []
    const exact = labelled.map(({ answer }) => ({ answer, chain: { times: 1, unlimited: false } }))
    const embed = async ({ length }: readonly string[]) => new Float32Array(length)
    for (const { answer, chain } of [...answers, ...exact]) {
      const counting = tally.wrap('judges', { ...chain })(model)
      await forOneQuery(async () =>
        withChats([counting], (chat) => definition.judge(answer, params, { chat, embed })),
      )
    }
  }
}

async function samplesOf(open: OpenExperiment, source: AnswerSource, params: Params): Promise<Sample[]> {
  const { queries } = open.dataset
  if (source.closedBook)
    return queries.map(({ text: question, answers: references, evidence }) => {
      const context = source.context?.(question) ?? { passages: [], tokens: 0 }
      return { question, references, evidence, context, times: 1 }
    })
  const longest = (texts: readonly string[]) =>
    texts.reduce((most, text) => (countTokens(text) > countTokens(most) ? text : most), '')
  const linesOf = (lists: readonly (readonly string[])[]) =>
    [longest(lists.map((list) => list.join('\n')))].filter((text) => text !== '')
  return [
    {
      question: longest(queries.map(({ text }) => text)),
      references: linesOf(queries.map(({ answers }) => answers)),
      evidence: linesOf(queries.map(({ evidence = [] }) => evidence)),
      context: await longestContext(open, params),
      times: Math.min(MAX_FINALISTS, open.trials.length) * queries.length,
    },
  ]
}

async function longestContext(open: OpenExperiment, params: Params): Promise<AnswerContext> {
  const { context, top, maxTokens, summary } = contextParamsOf(params, open.experiment.context.top)
  const withEvidence = open.trials.some((trial) => trial.evidence)
  const count = withEvidence ? Math.max(top, Math.ceil(maxTokens / PIECE)) : top
  const isShort = context === 'chunks' && !withEvidence && summary === undefined
  const tokens = isShort ? Math.min(maxTokens, top * ((await longestChunk(open)) + HEADINGS)) : maxTokens
  const text = filler(Math.ceil(tokens / count))
  return { tokens, passages: Array.from({ length: count }, () => ({ heading: '', text, rows: [] })) }
}

async function longestChunk({ recipes, store }: OpenExperiment): Promise<number> {
  let most = 0
  for (const recipe of recipes) {
    const spans = chunkSpans(recipe)
    if (store.missing([spans]).length > 0) return Number.POSITIVE_INFINITY
    for (const { tokens } of await store.open(spans)) most = Math.max(most, tokens)
  }
  return most
}
