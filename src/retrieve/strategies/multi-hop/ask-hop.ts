import { z } from 'zod'
import { chunkTexts } from '../../../corpus/corpus.ts'
import { withoutMarks } from '../../../text/passage-marks.ts'
import type { Query, Ranking } from '../../../types.ts'
import { defineAsking } from '../../steps/asking.ts'
import { passagesText } from '../../steps/roles.ts'
import { type Groups, type ToldGroups, tellGroups } from './groups.ts'
import type { HopDecision } from './hops.ts'

type Params = {
  readonly model: string
  readonly template: string
  readonly seed: number
  readonly hop: number
}

type JudgeParams = Params & { readonly groups?: Groups; readonly filter?: boolean }

const schema = z.strictObject({ can_answer: z.boolean(), reasoning: z.string(), missing_query: z.string() })

const notes = ({ hop, canAnswer, reasoning, missing }: HopDecision) => ({
  [`hop ${hop} can_answer`]: canAnswer ? 'yes' : 'no',
  [`hop ${hop} reasoning`]: reasoning,
  [`hop ${hop} missing_query`]: missing,
})

type HopReply = HopDecision & { readonly told?: ToldGroups }

/**
 * Seed document 002's judge: a model says if the chunks so far answer the question, and what is missing; it may be given
 * the groups that the question names.
 */
export const askHopJudge = defineAsking({
  name: 'ask-hop-judge',
  version: 1,
  artifacts: (recipe, _params: JudgeParams) => ({ texts: chunkTexts(recipe) }),
  notes: (judged: HopReply) => ({ ...notes(judged), ...groupNotes(judged) }),
  counts: groupCounts,
  async ask(chat, [{ text }, { rows }]: readonly [Query, Ranking], { params, artifacts }): Promise<HopReply> {
    const { template, seed, hop, groups, filter = true } = params
    const told = groups && tellGroups(text, groups, filter)
    const passages = passagesText(rows, artifacts.texts)
    const values = { query: withoutMarks(text), passages, ...(told && { groups: told.text }) }
    const said = await chat.json({ template, values, seed }, schema)
    const missing = said.missing_query.trim()
    // A judge that misses nothing has nothing more to search for.
    const canAnswer = said.can_answer || missing === ''
    return { hop, canAnswer, reasoning: said.reasoning, missing, ...(told && { told }) }
  },
})

function groupCounts({ told }: HopReply): Record<string, number> {
  return told ? { groupTokens: told.tokens, groupTokensOfAll: told.allTokens } : {}
}

function groupNotes({ hop, told }: HopReply): Record<string, string> {
  return told ? { [`hop ${hop} groups`]: told.named.join(', ') || 'none named: all' } : {}
}

const ANSWERED = /\bthe answer is\b/i

/**
 * IRCoT: a model writes the next sentence of a chain of thought from the chunks so far; that sentence is searched for, until
 * one says what the answer is.
 * Trivedi et al., Interleaving Retrieval with Chain-of-Thought Reasoning (ACL 2023); here the chunks of all hops are read,
 * and the chain itself is not, so that hops stay independent of their number.
 */
export const askNextThought = defineAsking({
  name: 'ask-next-thought',
  version: 1,
  artifacts: (recipe, _params: Params) => ({ texts: chunkTexts(recipe) }),
  notes,
  async ask(
    chat,
    [{ text }, { rows }]: readonly [Query, Ranking],
    { params, artifacts },
  ): Promise<HopDecision> {
    const { template, seed, hop } = params
    const passages = passagesText(rows, artifacts.texts)
    const thought = await chat.text({ template, values: { query: withoutMarks(text), passages }, seed })
    return { hop, canAnswer: ANSWERED.test(thought), reasoning: thought, missing: thought }
  },
})
