import { basename } from 'node:path'
import { z } from 'zod'
import { aFunction } from '../custom/files.ts'
import type { CustomKind } from '../custom/load.ts'
import { UserError } from '../errors.ts'
import { type DatasetFormat, defineFormat, type FileRule, type FormatRow, type Role } from './format.ts'
import { answersIn, passagesIn, textsOf } from './mappers.ts'

const aPattern = z.instanceof(RegExp, { error: 'must be a regular expression' })
const rule = z.strictObject({
  name: z.string().optional(),
  path: z.union([aPattern, z.array(aPattern)]).optional(),
  keys: z.array(z.string()).optional(),
  head: aPattern.optional(),
  isOptional: z.boolean().optional(),
  isMany: z.boolean().optional(),
  isTrec: z.boolean().optional(),
  rows: aFunction.optional(),
})
const schema = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]*$/, 'must be small letters, digits and `-`, a letter first'),
  summary: z.string(),
  place: z.enum(['file', 'folder', 'either']).optional(),
  roles: z.strictObject({
    corpus: rule.optional(),
    questions: rule.optional(),
    labels: rule.optional(),
    spans: rule.optional(),
  }),
  document: aFunction.optional(),
  question: aFunction.optional(),
  scope: z.string().optional(),
  clusters: z.string().optional(),
})

export const customFormat: CustomKind<DatasetFormat> = {
  word: 'dataset format',
  example: 'export default { name, summary, roles: { corpus: { path: /.../ } }, document, question }',
  schema,
  toolkit: () => ({ textsOf, passagesIn, answersIn }),
  define(exported, guard, { path }) {
    const row = exported as FormatRow
    /** Runs somebody's function; what it throws is an error at the record that it was given. */
    const guarded = <A extends readonly unknown[], R>(subject: string, run?: (...given: A) => R) =>
      run &&
      ((...args: A): R => {
        try {
          return guard.call(subject, () => run(...args))
        } catch (error) {
          if (error instanceof UserError) throw error
          throw new UserError(
            `${subject} of ${basename(path)} failed: ${error instanceof Error ? error.message : error}`,
          )
        }
      })
    const roles = Object.entries(row.roles).map(([role, rule]) => [
      role,
      { ...rule, name: rule.name ?? role, rows: guarded(`\`rows\` of ${role}`, rule.rows) },
    ])
    return defineFormat({
      ...row,
      drops: 'fields that the file does not map',
      path: `the ${row.place === 'file' ? 'file' : 'folder'}`,
      roles: Object.fromEntries(roles) as Partial<Record<Role, FileRule>>,
      document: guarded('`document`', row.document),
      question: guarded('`question`', row.question),
    })
  },
}
