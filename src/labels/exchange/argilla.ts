import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { fieldComplaint } from '../../text/schema-words.ts'
import type { Pool } from '../pool.ts'
import { gradeOf, idText } from './label-studio.ts'
import type { ForeignLabel, LabelRow } from './rows.ts'

/** Records of Argilla 2, as `dataset.records.to_json` writes them and `from_json` reads them. */
export function argillaRecords(pool: Pool, rows: readonly LabelRow[]): string {
  const byPassage = new Map<string, LabelRow[]>()
  for (const row of rows) {
    const key = `${row.query.id}\n${row.passage.id}`
    byPassage.set(key, [...(byPassage.get(key) ?? []), row])
  }
  const records = pool.queries.flatMap(({ id, text: question, passages }) =>
    passages.map((passage) => {
      const own = byPassage.get(`${id}\n${passage.id}`) ?? []
      return {
        id: `${id} ${passage.id}`,
        status: own.length > 0 ? 'completed' : 'pending',
        fields: { question, title: passage.title, passage: passage.text },
        metadata: { query: id, passage: passage.id },
        suggestions: {},
        responses:
          own.length > 0
            ? { grade: own.map(({ grade, labeller }) => ({ value: String(grade), user_id: labeller })) }
            : {},
        vectors: {},
      }
    }),
  )
  return `${JSON.stringify(records, null, 1)}\n`
}

const records = z.array(
  z.looseObject({
    metadata: z.looseObject({ query: idText, passage: idText }),
    responses: z
      .looseObject({
        grade: z
          .array(
            z.looseObject({
              value: z.union([z.string(), z.number()]).nullable(),
              user_id: z.string().nullish(),
              status: z.string().nullish(),
            }),
          )
          .optional(),
      })
      .nullish(),
  }),
)

/** Reads submitted responses to the question `grade`. */
export function readArgilla(text: string, file: string): ForeignLabel[] {
  const parsed: unknown = JSON.parse(text)
  const { data, error } = records.safeParse(parsed)
  if (error)
    throw new UserError({
      file,
      message: `holds no records of Argilla 2 over those of \`touchstone labels export\`: ${fieldComplaint(error.issues[0], parsed)}`,
    })
  return data.flatMap(({ metadata: { query, passage }, responses }, index) =>
    (responses?.grade ?? []).flatMap(({ value, user_id: user, status }): ForeignLabel[] =>
      value === null || status === 'draft' || status === 'discarded'
        ? []
        : [
            {
              ...{ query, passage, grade: gradeOf(String(value)), labeller: user ?? '' },
              place: `record ${index + 1}`,
            },
          ],
    ),
  )
}
