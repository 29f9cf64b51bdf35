import { z } from 'zod'
import type { Chat } from '../../models/completions/chat.ts'
import { modelParams, promptFiles, stepPromptParams } from '../../models/prompts/params.ts'
import { promptText } from '../../models/prompts/prompt.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import { defineJudge } from './define.ts'
import { forEachNumber, numbered, reasonLines } from './lines.ts'
import { statementsOf } from './statements.ts'

const HOLES = ['query', 'facts', 'answer']
const FACT_HOLES = ['query', 'answer']

const verdictsSchema = (facts: number) =>
  z.strictObject({
    facts: forEachNumber(facts, z.strictObject({ reasoning: z.string(), covered: z.boolean() })),
  })

/**
 * Share of the reference answer's facts that the answer states:
 *
 *     coverage = facts that the answer states / facts of the reference answer
 *
 * Reference answers are alternatives; the first one is read. A missing answer gets 0 without a request.
 */
export const coverage = defineJudge({
  name: 'coverage',
  summary: 'share of the facts of the reference answer that the answer states',
  source:
    'Xiang et al., When to use Graphs in RAG (GraphRAG-Bench), 2025: coverage score; prompts of our own',
  params: z.strictObject({ ...modelParams(HOLES), ...stepPromptParams('facts', FACT_HOLES) }),
  files: promptFiles(HOLES, { facts: FACT_HOLES }),
  async judge(
    { question, references, answerable, refused, failed, text },
    { prompt, factsPrompt, seed },
    { chat },
  ) {
    if (!answerable || references.length === 0) return Number.NaN
    if (failed || refused) return 0
    const asked = { question, text: references[0], seed }
    const facts = await statementsOf(chat as Chat, asked, factsPrompt)
    if (facts.length === 0) return Number.NaN
    const values = { query: withoutMarks(question), facts: numbered(facts), answer: withoutMarks(text) }
    const verdicts = await (chat as Chat).json(
      { template: promptText(prompt, 'judge-coverage'), values, seed },
      verdictsSchema(facts.length),
    )
    return {
      value: Object.values(verdicts.facts).filter(({ covered }) => covered).length / facts.length,
      reason: reasonLines(
        facts.map((fact, at) => {
          const { covered, reasoning } = verdicts.facts[at + 1]
          return [covered ? 'covered' : 'not covered', fact, reasoning]
        }),
      ),
    }
  },
})
