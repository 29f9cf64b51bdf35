import { z } from 'zod'
import { listOf } from '../../models/chat/json.ts'
import { withoutMarks } from '../../text/passage-marks.ts'

/** From 0 to 1, the higher the better; NaN where the answer does not count. A language model's is a verdict with its reason. */
export type JudgeScore = number | Verdict

/** A score with the reasons that the language model gave for it. */
export interface Verdict {
  readonly value: number
  /** Lines of plain text. */
  readonly reason: string
}

/** Asks for a completion of the judge's prompt, with texts of placeholders that are not the answer's. */
export type Ask = <T>(schema: z.ZodType<T>, values?: Readonly<Record<string, string>>) => Promise<T>

/** Statements of a text, at most 50. */
export const STATEMENTS = z.strictObject({ statements: listOf(z.string(), 50) })

export function numbered(texts: readonly string[]): string {
  return texts
    .map((text, index) => `${index + 1}. ${withoutMarks(text.replace(/\s+/g, ' ').trim())}`)
    .join('\n')
}

/** Reasons of a verdict, a line each: a finding, the text that it is about, and the reason in brackets. */
export function reasonLines(
  findings: readonly (readonly [finding: string, about: string, why?: string])[],
): string {
  const line = (text: string) => text.replace(/\s+/g, ' ').trim()
  return findings
    .map(([finding, about, why = '']) => `${finding}: ${line(about)}${line(why) && ` (${line(why)})`}`)
    .join('\n')
}

/** Share of the texts for which a claim holds, NaN without a text, with the reasons. `words`: a finding that holds, and one that does not. */
export function share(
  verdicts: readonly (readonly [holds: boolean, about: string, why: string])[],
  words: readonly [string, string],
): Verdict {
  return {
    value: verdicts.filter(([holds]) => holds).length / verdicts.length,
    reason: reasonLines(verdicts.map(([holds, about, why]) => [words[holds ? 0 : 1], about, why])),
  }
}

/** Verdicts on numbered statements in the JSON that a prompt asks for. */
interface Verdicts {
  /** Placeholder of the statements. */
  readonly hole: string
  /** Key of the map from numbers to verdicts. */
  readonly map: string
  /** Key of a verdict. */
  readonly key: string
  readonly words: readonly [string, string]
}

/** Verdicts of the prompt `judge-faithfulness`. */
export const FOLLOWS: Verdicts = {
  hole: 'statements',
  map: 'verdicts',
  key: 'follows',
  words: ['follows', 'does not follow'],
}

/** Share of the statements with a positive verdict; NaN without a statement, and no request. */
export async function shareOfStatements(
  statements: readonly string[],
  ask: Ask,
  { hole, map, key, words }: Verdicts,
): Promise<JudgeScore> {
  if (statements.length === 0) return Number.NaN
  const schema = z.strictObject({ [map]: forEachNumber(statements.length, verdict(key)) })
  const { [map]: replies } = await ask(schema, { [hole]: numbered(statements) })
  return share(
    statements.map((statement, at) => [replies[at + 1][key], statement, replies[at + 1].reasoning]),
    words,
  )
}

export function verdict<K extends string>(key: K): z.ZodType<{ reasoning: string } & Record<K, boolean>> {
  const schema = z.strictObject({ reasoning: z.string(), [key]: z.boolean() })
  return schema as unknown as z.ZodType<{ reasoning: string } & Record<K, boolean>>
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
