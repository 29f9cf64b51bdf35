import { z } from 'zod'
import { UserError } from '../errors.ts'
import { gradedPairs } from '../labels/final.ts'
import {
  actionOf,
  appendActions,
  type LabelsFolder,
  labellersOf,
  requireLabeller,
  requirePool,
} from '../labels/folder.ts'
import { type Action, pairOf, standingOf } from '../labels/log.ts'
import type { PooledPassage, PooledQuery } from '../labels/pool.ts'
import type { Chat } from '../models/completions/chat.ts'
import { builtInPrompt } from '../models/prompts/prompt.ts'
import { sha256 } from '../store/hash.ts'
import { withoutMarks } from '../text/passage-marks.ts'
import { askModel } from './ask-model.ts'
import { openConfig, type Place } from './open-config.ts'

interface JudgeOptions {
  readonly model: string
  /** For measuring the model's agreement first. */
  readonly labelledOnly: boolean
  readonly signal: AbortSignal
  readonly at: string
}

/** Labels of a model go to a log of its own. Throws a UserError if it labels nothing. */
export async function judgeLabels(
  place: Place,
  labels: LabelsFolder,
  config: string,
  { model: name, labelledOnly, signal, at }: JudgeOptions,
) {
  const pool = requirePool(labels)
  const labeller = requireLabeller(labels.folder, name)
  const log = labels.logs.find(({ header }) => header.labeller === labeller)
  if (log?.header.kind === 'person')
    throw new UserError(`is of a person called ${name}, as the model is; rename one`, log.file)
  const people = labellersOf(labels, 'person')
  const byPeople = new Set(
    gradedPairs(pool, labels.logs).flatMap(({ query, passage, grades }) =>
      people.some((person) => grades.has(person)) ? [pairOf(query, passage.id)] : [],
    ),
  )
  const done = log ? standingOf(log.actions).grades : new Map<string, unknown>()
  const tasks = pool.queries.flatMap((query) =>
    query.passages
      .map((passage) => ({ query, passage, key: pairOf(query.id, passage.id) }))
      .filter(({ key }) => !done.has(key) && (!labelledOnly || byPeople.has(key))),
  )
  if (tasks.length === 0) return { labels: 0, failed: 0, reason: '' }
  const open = await openConfig(place, config, { set: [] })
  const outcomes = await askModel(
    open,
    name,
    tasks,
    (chat, { query, passage }) => gradeWithModel(chat, query, passage),
    { signal, progress: place.progress },
  )
  const acts: Action[] = []
  let reason = ''
  for (const [index, outcome] of outcomes.entries()) {
    const { query, passage, key } = tasks[index]
    if ('failed' in outcome) reason ||= outcome.failed
    else {
      const act = { do: 'grade', query: query.id, passage: passage.id, grade: outcome.value } as const
      acts.push(actionOf(act, sha256(`${name}\n${key}`).slice(0, 16), at))
    }
  }
  if (acts.length === 0)
    throw new UserError(`the model ${name} graded none of ${tasks.length} passages: ${reason}`)
  const header = {
    labeller,
    kind: 'model',
    by: `${String(open.recipes[0].models?.[name]?.params.model ?? name)} with judge-relevance`,
  } as const
  appendActions(labels.folder, { touchstone: 'label log', format: 1, ...header }, acts)
  return { labels: acts.length, failed: tasks.length - acts.length, reason }
}

const graded = z.strictObject({
  intent: z.string().optional(),
  match: z.number().optional(),
  trust: z.number().optional(),
  grade: z.int().min(0).max(3),
})

/** Grade of a passage by a language model, 0 to 3, with the steps of UMBRELA (Upadhyay et al., 2024). */
export async function gradeWithModel(
  chat: Chat,
  { text }: PooledQuery,
  passage: PooledPassage,
): Promise<number> {
  const body = passage.title === '' ? passage.text : `${passage.title}\n${passage.text}`
  const values = {
    query: withoutMarks(text),
    context: `<passage kind="source 1">\n${withoutMarks(body)}\n</passage>`,
  }
  return (await chat.json({ template: builtInPrompt('judge-relevance'), values }, graded)).grade
}
