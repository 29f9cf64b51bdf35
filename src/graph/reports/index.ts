import { UserError } from '../../errors.ts'
import { didYouMean } from '../../text/nearest.ts'
import type { Json } from '../../types.ts'
import type { ReportWriter } from './define.ts'
import { extractive } from './extractive.ts'
import { graphrag } from './graphrag.ts'

/** Every way to write community reports, by name. */
export const reportWriters: readonly ReportWriter[] = [
  extractive,
  graphrag,
] as unknown as readonly ReportWriter[]

type Params = Readonly<Record<string, Json>>

/** The writer of a choice and its params with the defaults filled in. Throws a UserError for an unknown name or a bad param. */
export function resolveReportWriter(choice: { readonly name: string; readonly params: Params }): {
  readonly writer: ReportWriter
  readonly params: Params
} {
  const writer = reportWriters.find(({ name }) => name === choice.name)
  const names = reportWriters.map(({ name }) => name)
  if (!writer)
    throw new UserError(
      `prepare.reports: unknown "${choice.name}"${didYouMean(choice.name, names)}; there are ${names.join(', ')}`,
    )
  const parsed = writer.params.safeParse(choice.params)
  if (!parsed.success)
    throw new UserError(
      parsed.error.issues.map(({ path, message }) => ({
        message: `prepare.reports: ${[choice.name, ...path].join('.')}: ${message}`,
      })),
    )
  return { writer, params: parsed.data as Params }
}
