import { UserError } from '../errors.ts'

/**
 * The form of everything in an experiment folder that this version writes and reads: raised whenever a file's shape
 * changes (`tests/results/format.test.ts` notices), so that an older folder is seen to be one and never misread.
 */
export const FORMAT = 12

export type Format = typeof FORMAT

/** Throws a UserError if `file` has another format. */
export function requireFormat(file: string, value: unknown): void {
  if (hasFormat(value)) return
  throw new UserError({ file, message: 'was written by another version of touchstone; run the config again' })
}

export function hasFormat(value: unknown): value is { readonly format: Format } {
  return (value as { format?: unknown } | null | undefined)?.format === FORMAT
}
