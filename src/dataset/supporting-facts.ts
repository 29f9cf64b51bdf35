import { z } from 'zod'
import { wellFormed } from '../text/well-formed.ts'
import type { Intake, Place } from './intake.ts'
import { eachQuestion, poolPassages } from './questions-file.ts'

const question = z.object({
  _id: z.string(),
  question: z.string(),
  answer: z.string().optional(),
  type: z.string().optional(),
  supporting_facts: z.array(z.tuple([z.string(), z.int()]).rest(z.unknown())),
  context: z.array(z.tuple([z.string(), z.array(z.string())]).rest(z.unknown())),
})

/**
 * Questions in HotpotQA's form, each with its own passages (the distractor setting): the corpus is the union of these,
 * gold are the passages that a supporting fact names by title. `joint` stands between a passage's sentences.
 */
export async function readSupportingFacts(path: string, joint: string, intake: Intake): Promise<void> {
  const pool = poolPassages(intake)
  await eachQuestion(path, intake, (fields, place) => {
    const parsed = question.safeParse(fields)
    if (!parsed.success) return wrongFields(parsed.error, place, intake)
    const { _id: id, question: text, answer, type = null, supporting_facts: facts, context } = parsed.data
    const byTitle = new Map<string, string[]>()
    for (const [title, sentences] of context) {
      const passage = pool(wellFormed(title), wellFormed(sentences.join(joint).trim()), place)
      byTitle.set(title, [...(byTitle.get(title) ?? []), passage])
    }
    const answers = answer === undefined ? [] : [answer]
    intake.query({ id, text, metadata: {}, category: type, answers, answerable: true }, place)
    for (const title of new Set(facts.map(([fact]) => fact))) {
      const gold = byTitle.get(title)
      if (!gold)
        intake.mistake({
          ...place,
          message: `the supporting fact "${title}" is none of the question's passages`,
        })
      for (const passage of new Set(gold)) intake.judgement({ queryId: id, id: passage, grade: 1 }, place)
    }
  })
}

/** One mistake a field. */
export function wrongFields(error: z.ZodError, place: Place, intake: Intake): void {
  for (const { path, message } of error.issues)
    intake.mistake({ ...place, message: `${path.join('.')}: ${message}` })
}
