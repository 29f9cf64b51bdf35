import { z } from 'zod'
import { listOf } from '../../models/chat/json.ts'
import { type Chat, together } from '../../models/completions/chat.ts'
import { modelParams, promptFiles, promptText, stepPromptParams } from '../../models/prompts/prompt.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import { countTokens } from '../../text/tokens.ts'
import { REFUSAL } from '../citations.ts'
import { contextParams, contextText, type Passage, userAndContext, userParams } from '../context.ts'
import { defineAnswerer } from './index.ts'

const HOLES = ['query', 'points']
const MAP_HOLES = ['query', 'context']

/** Maximum tokens of all points. */
const POINT_TOKENS = 2000
/** Points of a batch, far more than help. */
const POINTS = 50

const pointsSchema = z.strictObject({
  points: listOf(z.strictObject({ text: z.string(), score: z.number() }), POINTS),
})

/** GraphRAG's global answer (Edge et al., 2024, 3.1.7). */
export default defineAnswerer({
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
  make: ({ prompt, mapPrompt, seed, batchTokens, userContext }) => ({
    async answer(question, { passages }, chat, mapChat = chat) {
      const query = withoutMarks(question)
      const rated = await together(batches(passages, batchTokens), (context) =>
        (mapChat as Chat).json(
          { template: promptText(mapPrompt, 'answer-map'), values: { query, context }, seed },
          pointsSchema,
        ),
      )
      const best = bestPoints(rated.flatMap(({ points }) => points))
      if (best.length === 0) return REFUSAL
      // A model wrote the points from texts of the corpus.
      const points = `<passage kind="points">\n${best.join('\n')}\n</passage>`
      return (chat as Chat).text({
        template: promptText(prompt, 'answer-reduce'),
        values: { query, points: userAndContext(userContext, points) },
        seed,
      })
    },
  }),
})

type Point = z.output<typeof pointsSchema>['points'][number]

/** Points above 0 as lines, best first, within the tokens. */
function bestPoints(points: readonly Point[]): string[] {
  // The sort is stable: equal scores stay in the order of their batches.
  const sorted = points.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)
  const bestTexts: string[] = []
  let tokens = 0
  for (const { text } of sorted) {
    tokens += countTokens(text)
    if (tokens > POINT_TOKENS && bestTexts.length > 0) break
    bestTexts.push(`- ${withoutMarks(text)}`)
  }
  return bestTexts
}

function batches(passages: readonly Passage[], most: number): string[] {
  if (passages.length === 0) return []
  const numbered = contextText({ passages })
    .split(/\n(?=<passage number=)/)
    .map((text) => ({ text, tokens: countTokens(text) }))
  const merged: { text: string; tokens: number }[] = []
  for (const { text, tokens } of numbered) {
    const last = merged.at(-1)
    if (last && last.tokens + tokens <= most) {
      last.text += `\n${text}`
      last.tokens += tokens
    } else merged.push({ text, tokens })
  }
  return merged.map(({ text }) => text)
}
