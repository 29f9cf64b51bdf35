import { z } from 'zod'
import { listOf } from '../../models/chat/json.ts'
import type { Chat } from '../../models/completions/chat.ts'
import { modelParams, promptFiles } from '../../models/prompts/params.ts'
import { promptText } from '../../models/prompts/prompt.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import { textsAsContext } from '../context.ts'
import { defineJudge } from './define.ts'
import { reasonLines } from './lines.ts'

const HOLES = ['query', 'context', 'reference']

/** Sentences of a reference answer at most. */
const SENTENCES = 50

const schema = z.strictObject({
  sentences: listOf(
    z.strictObject({ sentence: z.string(), reasoning: z.string(), attributed: z.boolean() }),
    SENTENCES,
  ),
})

/**
 * Share of the reference answer's sentences that can be attributed to the passages sent:
 *
 *     context recall = attributed sentences / all sentences
 *
 * It judges retrieval, not the answer. Reference answers are alternatives; the first one is read. Without passages it
 * is 0.
 */
export const contextRecall = defineJudge({
  name: 'context_recall',
  summary: 'share of the sentences of the reference answer that can be attributed to the sent texts',
  source: 'context recall of the ragas package; Es et al., RAGAS, EACL 2024 (demonstrations)',
  params: z.strictObject({ ...modelParams(HOLES) }),
  files: promptFiles(HOLES),
  async judge({ question, references, answerable, passages }, { prompt, seed }, { chat }) {
    if (!answerable || references.length === 0) return Number.NaN
    if (passages.length === 0) return 0
    const values = {
      query: withoutMarks(question),
      context: textsAsContext(passages),
      reference: withoutMarks(references[0]),
    }
    const { sentences } = await (chat as Chat).json(
      { template: promptText(prompt, 'judge-recall'), values, seed },
      schema,
    )
    if (sentences.length === 0) return Number.NaN
    return {
      value: sentences.filter(({ attributed }) => attributed).length / sentences.length,
      reason: reasonLines(
        sentences.map(({ sentence, attributed, reasoning }) => [
          attributed ? 'attributed' : 'not attributed',
          sentence,
          reasoning,
        ]),
      ),
    }
  },
})
