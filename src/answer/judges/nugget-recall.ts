import { z } from 'zod'
import { listOf } from '../../models/chat/json.ts'
import { type Chat, together } from '../../models/completions/chat.ts'
import { modelParams, pinPromptFile, stepPromptParams } from '../../models/prompts/params.ts'
import { builtInPrompt, fillPrompt } from '../../models/prompts/prompt.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import { defineJudge } from './define.ts'
import { labelFiles, labelsParam } from './labels.ts'
import { forEachNumber, listed, numbered, reasonLines } from './lines.ts'

const HOLES = ['query', 'answer', 'nuggets']
const NUGGET_HOLES = ['query', 'references']
/** Nuggets that are asked about at once. */
const BATCH = 10

const nuggetsSchema = (most: number) =>
  z.strictObject({ nuggets: listOf(z.strictObject({ text: z.string(), vital: z.boolean() }), most) })
const labelsSchema = (nuggets: number) =>
  z.strictObject({
    labels: forEachNumber(nuggets, z.enum(['support', 'partial_support', 'not_support'])),
  })

/**
 * Share of the reference answers' vital nuggets that the answer supports in full (V strict):
 *
 *     nugget recall = vital nuggets with `support` / vital nuggets
 *
 * A language model writes a query's nuggets once, from its reference answers, and labels them ten at a time for every
 * answer. If no nugget is vital, all count. A missing answer gets 0 without a request. Nuggets of pooled relevant
 * passages, as at TREC, would depend on the trials that are compared.
 */
export const nuggetRecall = defineJudge({
  name: 'nugget_recall',
  summary: 'share of the vital facts of the reference answers that the answer contains',
  source:
    'Pradeep et al., The Great Nugget Recall, SIGIR 2025 (AutoNuggetizer, V strict); Voorhees, TREC 2003',
  params: z.strictObject({
    ...modelParams(HOLES),
    ...stepPromptParams('nuggets', NUGGET_HOLES),
    nuggets: z.int().min(1).max(100).default(20).describe('maximum nuggets per question'),
    labels: labelsParam,
  }),
  pin: pinPromptFile(HOLES, { nuggets: NUGGET_HOLES }),
  files: labelFiles,
  asks(
    { question, references, answer, written },
    {
      template = builtInPrompt('judge-nugget-support'),
      nuggetsTemplate = builtInPrompt('judge-nuggets'),
      nuggets: most,
    },
  ) {
    const values = { query: question, references, most: String(most) }
    const label = { query: question, answer, nuggets: written }
    return [
      { prompt: fillPrompt(nuggetsTemplate, values), calls: 1, json: true },
      { prompt: fillPrompt(template, label), calls: Math.ceil(most / BATCH), json: true },
    ]
  },
  async judge(
    { question, references, answerable, refused, failed, text },
    {
      template = builtInPrompt('judge-nugget-support'),
      nuggetsTemplate = builtInPrompt('judge-nuggets'),
      seed,
      nuggets: most,
    },
    { chat },
  ) {
    if (!answerable || references.length === 0) return Number.NaN
    if (failed || refused) return 0
    const { nuggets } = await (chat as Chat).json(
      {
        template: nuggetsTemplate,
        values: { query: withoutMarks(question), references: listed(references), most: String(most) },
        seed,
      },
      nuggetsSchema(most),
    )
    const first = nuggets.slice(0, most)
    const vital = first.filter((nugget) => nugget.vital)
    const counted = vital.length > 0 ? vital : first
    if (counted.length === 0) return Number.NaN
    const batches = Array.from({ length: Math.ceil(counted.length / BATCH) }, (_, index) =>
      counted.slice(index * BATCH, (index + 1) * BATCH).map((nugget) => nugget.text),
    )
    const labelled = await together(batches, async (batch) => {
      const values = { query: withoutMarks(question), answer: withoutMarks(text), nuggets: numbered(batch) }
      const { labels } = await (chat as Chat).json({ template, values, seed }, labelsSchema(batch.length))
      return batch.map((nugget, at) => [labels[at + 1], nugget] as const)
    })
    const all = labelled.flat()
    return {
      value: all.filter(([label]) => label === 'support').length / counted.length,
      reason: reasonLines(all.map(([label, nugget]) => [label.replaceAll('_', ' '), nugget])),
    }
  },
})
