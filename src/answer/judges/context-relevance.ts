import { z } from 'zod'
import { type Chat, together } from '../../models/completions/chat.ts'
import { modelParams, promptFiles } from '../../models/prompts/params.ts'
import { promptText } from '../../models/prompts/prompt.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import { textsAsContext } from '../context.ts'
import { defineJudge } from './define.ts'

const HOLES = ['query', 'context']
/** Ratings of one context. */
const RATINGS = 2

const schema = z.strictObject({ reasoning: z.string(), score: z.int().min(0).max(2) })

/**
 * Mean of two ratings, from 0 to 2, of how much of what the question needs is in the passages sent, halved. It judges
 * retrieval, not the answer. Without passages it is 0.
 */
export const contextRelevance = defineJudge({
  name: 'context_relevance',
  summary: 'share of the needed information that was sent: none, part or all, rated twice',
  source:
    'Xiang et al., When to use Graphs in RAG (GraphRAG-Bench), 2025: Evaluation/metrics/context_relevance.py, after context relevance of the ragas package; a prompt of our own',
  params: z.strictObject({ ...modelParams(HOLES) }),
  files: promptFiles(HOLES),
  async judge({ question, passages }, { prompt, seed }, { chat }) {
    if (passages.length === 0) return 0
    const values = { query: withoutMarks(question), context: textsAsContext(passages) }
    const ratings = await together([...Array(RATINGS).keys()], (index) =>
      (chat as Chat).json(
        { template: promptText(prompt, 'judge-context-relevance'), values, seed: seed * RATINGS + index },
        schema,
      ),
    )
    return {
      value: ratings.reduce((sum, { score }) => sum + score, 0) / (2 * RATINGS),
      reason: ratings.map(({ score, reasoning }) => `${score} of 2: ${reasoning}`).join('\n'),
    }
  },
})
