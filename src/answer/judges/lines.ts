import { z } from 'zod'
import { withoutMarks } from '../../text/passage-marks.ts'

/** Texts as lines of a prompt, each with its number from 1. */
export function numbered(texts: readonly string[]): string {
  return texts
    .map((text, index) => `${index + 1}. ${withoutMarks(text.replace(/\s+/g, ' ').trim())}`)
    .join('\n')
}

/** Reference answers as lines of a prompt. */
export function listed(texts: readonly string[]): string {
  return texts.map((text) => `- ${withoutMarks(text)}`).join('\n')
}

/** Reasons of a verdict, a line each: a finding, the text that it is about, and the reason in brackets. */
export function reasonLines(
  findings: readonly (readonly [found: string, about: string, why?: string])[],
): string {
  const line = (text: string) => text.replace(/\s+/g, ' ').trim()
  return findings
    .map(([found, about, why = '']) => `${found}: ${line(about)}${line(why) && ` (${line(why)})`}`)
    .join('\n')
}

/**
 * Schema of one value for each number from 1 to `count`: an object with the numbers as keys, so that a server that keeps the
 * schema leaves none out and gives none twice.
 */
export function forEachNumber<T extends z.ZodType>(
  count: number,
  value: T,
): z.ZodType<Record<string, z.output<T>>> {
  const keys = Array.from({ length: count }, (_, index) => [String(index + 1), value] as const)
  return z.strictObject(Object.fromEntries(keys)) as unknown as z.ZodType<Record<string, z.output<T>>>
}
