import { answerers } from '../../answer/answerers/index.ts'
import { filler } from '../../answer/define.ts'
import { judges } from '../../answer/judges/index.ts'
import { readLabels } from '../../answer/judges/labels.ts'
import { numbered } from '../../answer/judges/lines.ts'
import { chatModel } from '../../corpus/chat-model.ts'
import { resolve } from '../../registry.ts'
import { countTokens } from '../../text/tokens.ts'
import {
  type CallsEstimate,
  callsLine,
  estimateCalls,
  longestContext,
  longestQuestion,
} from './estimate-answers.ts'
import type { OpenExperiment } from './open.ts'
import { MAX_FINALISTS } from './plan.ts'

/** Upper bounds of the calls of one judge of `judge`. */
export interface JudgeEstimate extends CallsEstimate {
  readonly judge: string
  /**
   * True if the length of an answer, or of a completion that the judge reads again, has no limit. Tokens are then
   * those of the rest.
   */
  readonly unlimited: boolean
}

/**
 * Bounds of what judging the answers asks: every answer of every row counts as the longest there may be, over the longest
 * context; labelled answers count as such too.
 */
export async function estimateJudges(open: OpenExperiment): Promise<JudgeEstimate[]> {
  const { experiment, dataset, trials, recipes, store } = open
  const { answering, judging } = experiment
  if (experiment.recording !== null) return []
  const contexts = Math.min(MAX_FINALISTS, trials.length)
  const limitOf = async (model: string): Promise<number | null> => {
    const opened = await store.open(chatModel(recipes[0], model))
    return opened.estimate({ prompt: '', messages: [], repeat: 0 }).output
  }
  let rows = 0
  let context = 0
  let answer: number | null = 0
  for (const { choice } of answering) {
    const { definition, params } = resolve(answerers, choice)
    const records = [...(definition.records?.(params).values() ?? [])]
    const longestIn = (tokens: readonly number[], least: number) =>
      tokens.reduce((most, one) => Math.max(most, one), least)
    const sent = records.map(({ contexts }) => countTokens(contexts.join('\n')))
    const { tokens } = definition.closedBook
      ? { tokens: longestIn(sent, 0) }
      : await longestContext(open, params)
    const most = longestIn(
      records.map(({ answer = '' }) => countTokens(answer)),
      definition.closedBook ? 0 : tokens,
    )
    const written: number | null = definition.asks ? await limitOf(String(params.model)) : most
    rows += definition.closedBook ? 1 : contexts
    context = Math.max(context, tokens)
    answer = answer === null || written === null ? null : Math.max(answer, written)
  }
  const longestOf = (texts: readonly string[]) =>
    [...texts].sort((a, b) => countTokens(b) - countTokens(a))[0]
  const references = longestOf(dataset.queries.map(({ answers }) => answers.join('\n')))
  const evidence = longestOf(dataset.queries.map(({ evidence = [] }) => numbered(evidence)))

  const found: JudgeEstimate[] = []
  for (const { name, choice } of judging) {
    const { definition, params } = resolve(judges, choice)
    if (!definition.asks) continue
    const written = await limitOf(String(params.model))
    const longest = {
      ...{ question: longestQuestion(open), references, context: filler(context) },
      ...{ evidence, answer: filler(answer ?? 0), written: filler(written ?? 0) },
    }
    const labelled = typeof params.labels === 'string' ? readLabels(params.labels).length : 0
    const model = await store.open(chatModel(recipes[0], String(params.model)))
    const calls = estimateCalls(
      model,
      definition.asks(longest, params),
      rows * dataset.queries.length + labelled,
    )
    const unlimited = answer === null || written === null
    found.push({ judge: name, ...calls, ...(unlimited && { dollars: null }), unlimited })
  }
  return found
}

/** One line a judge. */
export function judgeLines(estimates: readonly JudgeEstimate[]): string[] {
  return estimates.map(({ judge, unlimited, ...calls }) =>
    callsLine(`to judge: ${judge}`, calls, unlimited ? ', answers without a limit left out' : ''),
  )
}
