import { z } from 'zod'
import { listOf } from '../../models/chat/json.ts'
import { type Chat, together } from '../../models/completions/chat.ts'
import { modelParams, promptFiles, stepPromptParams } from '../../models/prompts/params.ts'
import { promptText } from '../../models/prompts/prompt.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import { countTokens } from '../../text/tokens.ts'
import { REFUSAL } from '../citations.ts'
import { contextText, type Passage, userAndContext } from '../context.ts'
import { contextParams, defineAnswerer, userParams } from '../define.ts'

const HOLES = ['query', 'points']
const MAP_HOLES = ['query', 'context']

/** Maximum tokens of all points. */
const POINT_TOKENS = 2000
/** Points of a batch, far more than help. */
const POINTS = 50

const pointsSchema = z.strictObject({
  points: listOf(z.strictObject({ text: z.string(), score: z.number() }), POINTS),
})

/**
 * GraphRAG's global answer. A model reads the passages in batches of at most `batchTokens` and writes points with
 * scores from 0 to 100. Points above 0, by descending score (ties by batch), up to 2,000 tokens, go into one request
 * for the answer. Without a point the answer is the refusal.
 * Edge et al., From Local to Global: A Graph RAG Approach to Query-Focused Summarization (2024), section 3.1.7.
 */
export const mapReduceAnswerer = defineAnswerer({
  name: 'map-reduce',
  summary: 'a language model rates points of batches of passages, and answers from the best points',
  source: 'GraphRAG, global search: Edge et al. 2024',
  params: z.strictObject({
    ...modelParams(HOLES),
    mapModel: z
      .string()
      .min(1)
      .optional()
      .meta({ model: true })
      .describe('a name in `models` for the step before (map), as a cheaper one; default: `model`'),
    ...stepPromptParams('map', MAP_HOLES),
    ...contextParams,
    ...userParams,
    batchTokens: z.int().min(1).max(1_000_000).default(2000).describe('maximum tokens of a batch'),
  }),
  files: promptFiles(HOLES, { map: MAP_HOLES }),
  async answer(question, { passages }, params, chat, mapChat = chat) {
    const { prompt, mapPrompt, seed, batchTokens, userContext } = params
    const rated = await together(batches(passages, batchTokens), async (context) => {
      const values = { query: withoutMarks(question), context }
      return (
        await (mapChat as Chat).json(
          { template: promptText(mapPrompt, 'answer-map'), values, seed },
          pointsSchema,
        )
      ).points
    })
    // The sort is stable: equal scores stay in the order of their batches.
    const all = rated
      .flat()
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
    const kept: string[] = []
    let tokens = 0
    for (const { text } of all) {
      tokens += countTokens(text)
      if (tokens > POINT_TOKENS && kept.length > 0) break
      kept.push(`- ${withoutMarks(text)}`)
    }
    if (kept.length === 0) return REFUSAL
    const points = userAndContext(userContext, marked(kept.join('\n')))
    return (chat as Chat).text({
      template: promptText(prompt, 'answer-reduce'),
      values: { query: withoutMarks(question), points },
      seed,
    })
  },
})

/** Points as a prompt holds them: a model wrote them from texts of the corpus. */
const marked = (points: string): string => `<passage kind="points">\n${points}\n</passage>`

/** Passages in their order and with their numbers, as many together as fit. */
function batches(passages: readonly Passage[], most: number): string[] {
  if (passages.length === 0) return []
  const numbered = contextText({ passages })
    .split(/\n(?=<passage number=)/)
    .map((text) => ({ text, tokens: countTokens(text) }))
  const found: { text: string; tokens: number }[] = []
  for (const { text, tokens } of numbered) {
    const last = found.at(-1)
    if (last && last.tokens + tokens <= most) {
      last.text += `\n${text}`
      last.tokens += tokens
    } else found.push({ text, tokens })
  }
  return found.map(({ text }) => text)
}
