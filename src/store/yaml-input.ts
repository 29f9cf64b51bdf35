import type { z } from 'zod'
import { type Mistake, UserError } from '../errors.ts'
import { parseYaml } from '../text/yaml.ts'
import { readText } from './input.ts'

/** A YAML or JSON file of a known shape, and where in it something stands. */
export interface YamlInput<T> {
  readonly value: T
  /** A mistake in what stands at `path`, with its line. */
  mistake(path: readonly (string | number)[], message: string): Mistake
}

/** Reads a file that somebody names. Throws a UserError with every mistake and its location. */
export function readYaml<S extends z.ZodType>(path: string, schema: S, what: string): YamlInput<z.output<S>> {
  const yaml = parseYaml(readText(path, what), path)
  if (yaml.mistakes.length > 0) throw new UserError(yaml.mistakes)
  const mistake: YamlInput<unknown>['mistake'] = (at, message) => ({
    file: path,
    ...yaml.location(at, 'value'),
    message,
  })
  const checked = schema.safeParse(yaml.value)
  if (checked.success) return { value: checked.data, mistake }
  throw new UserError(
    checked.error.issues.map(({ path: below, message }) => {
      const parts = below.filter((part) => typeof part !== 'symbol')
      return mistake(parts, `${parts.length > 0 ? `${parts.join('.')}: ` : ''}${message}`)
    }),
  )
}
