import type { z } from 'zod'
import { type Diagnostic, fewOfEachKind, UserError } from '../errors.ts'
import { parseJson } from '../text/json.ts'
import { fieldComplaint } from '../text/schema-words.ts'

/**
 * Calls `take` for the value of every line that is not blank, with its number. Throws a UserError with the first few of
 * each kind of error.
 */
export function eachJsonLine(
  file: string,
  text: string,
  take: (value: unknown, wrong: (message: string) => void, line: number) => void,
): void {
  const diagnostics: Diagnostic[] = []
  for (const [index, written] of text.split('\n').entries()) {
    if (written.trim() === '') continue
    const line = index + 1
    const wrong = (message: string) => void diagnostics.push({ file, line, message })
    const { value, diagnostic } = parseJson(written)
    if (diagnostic) wrong(diagnostic.message)
    else take(value, wrong, line)
  }
  if (diagnostics.length > 0) throw new UserError(fewOfEachKind(diagnostics))
}

/** A header, undefined in an empty file, and items with their line numbers. Throws a UserError with every wrong line. */
export function readHeadedLines<H, T>(
  file: string,
  text: string,
  headerSchema: z.ZodType<H>,
  itemSchema: z.ZodType<T>,
): { readonly header?: H; readonly items: readonly { readonly value: T; readonly line: number }[] } {
  const diagnostics: Diagnostic[] = []
  let header: H | undefined
  const items: { value: T; line: number }[] = []
  for (const [index, written] of text.split(/\r?\n/).entries()) {
    if (written.trim() === '') continue
    const line = index + 1
    const read = <V>(schema: z.ZodType<V>): V | undefined => {
      let value: unknown
      try {
        value = JSON.parse(written)
      } catch {
        diagnostics.push({ file, line, message: 'is no JSON object on a line of its own' })
        return undefined
      }
      const { data, error } = schema.safeParse(value)
      for (const issue of error?.issues ?? [])
        diagnostics.push({ file, line, message: fieldComplaint(issue, value) })
      return data
    }
    if (header === undefined) {
      header = read(headerSchema)
      if (header === undefined) break
      continue
    }
    const value = read(itemSchema)
    if (value !== undefined) items.push({ value, line })
  }
  if (diagnostics.length > 0) throw new UserError(diagnostics)
  return { ...(header !== undefined && { header }), items }
}
