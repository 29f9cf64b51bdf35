import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { readGrade } from '../../text/numbers.ts'
import { fieldComplaint } from '../../text/schema-words.ts'
import { GRADES } from '../action.ts'
import type { Pool } from '../pool.ts'
import type { ForeignLabel, LabelRow } from './rows.ts'

/** Labelling interface that the tasks are made for; pasted into a project's settings. */
export const LABEL_STUDIO_CONFIG = `<View>
  <Header value="$question"/>
  <Text name="passage" value="$text"/>
  <Choices name="grade" toName="passage" choice="single" showInline="false">
${GRADES.map(({ grade, name, definition }) => `    <Choice value="${grade}" hint="${name}: ${definition}"/>`).join('\n')}
  </Choices>
  <TextArea name="comment" toName="passage" rows="2" maxSubmissions="1"/>
</View>
`

/** Tasks of Label Studio with the labels so far as annotations, as its import takes them. */
export function labelStudioTasks(pool: Pool, rows: readonly LabelRow[]): string {
  const byPassage = new Map<string, LabelRow[]>()
  for (const row of rows) {
    const key = `${row.query.id}\n${row.passage.id}`
    byPassage.set(key, [...(byPassage.get(key) ?? []), row])
  }
  const tasks = pool.queries.flatMap(({ id, text: question, passages }) =>
    passages.map((passage) => ({
      data: { query: id, question, passage: passage.id, title: passage.title, text: passage.text },
      annotations: (byPassage.get(`${id}\n${passage.id}`) ?? []).map(({ labeller, grade, comment, at }) => ({
        completed_by: { email: labeller },
        created_at: at,
        result: [
          { from_name: 'grade', to_name: 'passage', type: 'choices', value: { choices: [String(grade)] } },
          ...(comment === ''
            ? []
            : [{ from_name: 'comment', to_name: 'passage', type: 'textarea', value: { text: [comment] } }]),
        ],
      })),
    })),
  )
  return `${JSON.stringify(tasks, null, 1)}\n`
}

/** An id: text, or a whole number. */
export const idText = z.union([z.string().min(1), z.int()]).transform(String)

const result = z.looseObject({
  from_name: z.string(),
  value: z.looseObject({
    choices: z.array(z.string()).optional(),
    rating: z.number().optional(),
    text: z.union([z.string(), z.array(z.string())]).optional(),
  }),
})
const annotation = z.looseObject({
  completed_by: z
    .union([
      z.number(),
      z.string(),
      z.looseObject({ email: z.string().optional(), id: z.number().optional() }),
    ])
    .optional(),
  was_cancelled: z.boolean().optional(),
  result: z.array(result),
})
const exported = z.array(
  z.looseObject({
    data: z.looseObject({ query: idText, passage: idText }),
    annotations: z.array(annotation),
  }),
)

/** Reads Label Studio's JSON export of such tasks; skipped annotations are left out. */
export function readLabelStudio(text: string, file: string): ForeignLabel[] {
  const parsed: unknown = JSON.parse(text)
  const { data, error } = exported.safeParse(parsed)
  if (error)
    throw new UserError({
      file,
      message: `is no JSON export of Label Studio (not JSON-MIN) over tasks of \`touchstone labels export\`: ${fieldComplaint(error.issues[0], parsed)}`,
    })
  requireDistinctNames(
    data.flatMap(({ annotations }) => annotations),
    file,
  )
  return data.flatMap(({ data: task, annotations }, index) =>
    annotations.flatMap(({ completed_by: by, result, was_cancelled: cancelled }): ForeignLabel[] => {
      const answerTo = (name: string) => result.find(({ from_name }) => from_name === name)?.value
      const grade = answerTo('grade')
      const given = grade?.choices?.[0] ?? grade?.rating
      if (cancelled || given === undefined) return []
      const comment = answerTo('comment')?.text
      return [
        {
          ...{ query: task.query, passage: task.passage, grade: gradeOf(String(given)) },
          labeller: nameOf(by),
          ...(comment !== undefined && { comment: Array.isArray(comment) ? comment.join('\n') : comment }),
          place: `task ${index + 1}`,
        },
      ]
    }),
  )
}

/** A grade by its number, or by its name; other text as it is. */
export function gradeOf(text: string): number | string {
  const given = text.trim().toLowerCase()
  const named = GRADES.find(({ name }) => name === given)
  return named?.grade ?? readGrade(given) ?? text
}

/** Refuses two addresses with one name before the @: they would become one labeller. */
function requireDistinctNames(annotations: readonly z.output<typeof annotation>[], file: string): void {
  const addresses = new Map<string, string>()
  for (const { completed_by: by } of annotations) {
    const address = typeof by === 'object' ? by.email?.toLowerCase() : undefined
    if (!address?.includes('@')) continue
    const name = nameOf({ email: address })
    const other = addresses.get(name) ?? address
    if (other !== address)
      throw new UserError({
        file,
        message: `has annotations of ${other} and of ${address}, and "${name}" names both; export each one's apart and import them with --as`,
      })
    addresses.set(name, address)
  }
}

function nameOf(by: z.output<typeof annotation>['completed_by']): string {
  if (by === undefined) return ''
  if (typeof by !== 'object') return typeof by === 'number' ? `user ${by}` : by
  return by.email?.replace(/@.*/, '') ?? (by.id === undefined ? '' : `user ${by.id}`)
}
