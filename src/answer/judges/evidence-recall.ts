import { z } from 'zod'
import type { Chat } from '../../models/completions/chat.ts'
import { modelParams, promptFiles } from '../../models/prompts/params.ts'
import { promptText } from '../../models/prompts/prompt.ts'
import { textsAsContext } from '../context.ts'
import { defineJudge } from './define.ts'
import { forEachNumber, numbered, reasonLines } from './lines.ts'

const HOLES = ['context', 'statements']

const verdictsSchema = (statements: number) =>
  z.strictObject({
    verdicts: forEachNumber(statements, z.strictObject({ reasoning: z.string(), follows: z.boolean() })),
  })

/**
 * Share of the statements of evidence, as the dataset has them, that follow from the passages sent:
 *
 *     evidence recall = statements that follow / all statements
 *
 * It judges retrieval, not the answer. A question without evidence does not count; without passages it is 0.
 */
export const evidenceRecall = defineJudge({
  name: 'evidence_recall',
  summary: "share of the dataset's statements of evidence that follow from the sent texts",
  source:
    'Xiang et al., When to use Graphs in RAG (GraphRAG-Bench), 2025: Evaluation/metrics/evidence_recall.py; the prompt of faithfulness',
  params: z.strictObject({ ...modelParams(HOLES) }),
  files: promptFiles(HOLES),
  async judge({ evidence = [], passages }, { prompt, seed }, { chat }) {
    if (evidence.length === 0) return Number.NaN
    if (passages.length === 0) return 0
    const values = { context: textsAsContext(passages), statements: numbered(evidence) }
    const { verdicts } = await (chat as Chat).json(
      { template: promptText(prompt, 'judge-faithfulness'), values, seed },
      verdictsSchema(evidence.length),
    )
    return {
      value: Object.values(verdicts).filter(({ follows }) => follows).length / evidence.length,
      reason: reasonLines(
        evidence.map((statement, at) => {
          const { follows, reasoning } = verdicts[at + 1]
          return [follows ? 'follows' : 'does not follow', statement, reasoning]
        }),
      ),
    }
  },
})
