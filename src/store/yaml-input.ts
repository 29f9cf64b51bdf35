import { z } from 'zod'
import { type Diagnostic, UserError } from '../errors.ts'
import { fieldComplaint } from '../text/schema-words.ts'
import { parseYaml } from '../text/yaml.ts'
import { readText } from './input.ts'

export interface YamlInput<T> {
  readonly value: T
  diagnostic(path: readonly (string | number)[], message: string): Diagnostic
}

/** Reads a file named by the user. Throws a UserError with every diagnostic and its location. */
export function readYaml<S extends z.ZodType>(
  path: string,
  schema: S,
  subject: string,
): YamlInput<z.output<S>> {
  const yaml = parseYaml(readText(path, subject), path)
  if (yaml.diagnostics.length > 0) throw new UserError(yaml.diagnostics)
  const diagnostic: YamlInput<unknown>['diagnostic'] = (at, message) => ({
    file: path,
    ...yaml.location(at, 'value'),
    message,
  })
  const checked = schema.safeParse(yaml.value)
  if (checked.success) return { value: checked.data, diagnostic }
  throw new UserError(
    checked.error.issues.flatMap((issue) => {
      const parts = issue.path as readonly (string | number)[]
      const owner = parts.length > 0 ? `${parts.join('.')}: ` : ''
      if (issue.code !== 'unrecognized_keys') return diagnostic(parts, fieldComplaint(issue, yaml.value))
      const keys =
        parts.length === 0 && schema instanceof z.ZodObject ? Object.keys(schema.shape).join(', ') : ''
      return issue.keys.map((key) => ({
        file: path,
        ...yaml.location([...parts, key], 'key'),
        message: `${owner}there is no key \`${key}\`${keys === '' ? '' : `; there are ${keys}`}`,
      }))
    }),
  )
}
