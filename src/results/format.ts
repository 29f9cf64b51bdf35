import { UserError } from '../errors.ts'

/**
 * Format of an experiment folder. Raise it whenever a file's shape changes (`tests/results/format.test.ts` notices),
 * so that older folders are recognised.
 */
export const FORMAT = 12

export type Format = typeof FORMAT

export function requireFormat(file: string, value: unknown): void {
  if (hasFormat(value)) return
  throw new UserError('was written by another version of touchstone; run the config again', file)
}

export function hasFormat(value: unknown): value is { readonly format: Format } {
  return (value as { format?: unknown } | null | undefined)?.format === FORMAT
}
