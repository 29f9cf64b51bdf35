import { UserError } from '../../errors.ts'
import { didYouMean } from '../../text/nearest.ts'
import type { Extractor, ExtractorParams } from './define.ts'
import { graphrag } from './graphrag.ts'
import { openie } from './openie.ts'
import { rules } from './rules.ts'
import { structure } from './structure.ts'
import { titles } from './titles.ts'

/** Every extractor, by name. */
export const extractors: readonly Extractor[] = [
  graphrag,
  openie,
  rules,
  structure,
  titles,
] as unknown as readonly Extractor[]

/** The extractor of a choice and its params with the defaults filled in. Throws a UserError for an unknown name or a bad param. */
export function resolveExtractor(choice: { readonly name: string; readonly params: ExtractorParams }): {
  readonly extractor: Extractor
  readonly params: ExtractorParams
} {
  const extractor = extractors.find(({ name }) => name === choice.name)
  const names = extractors.map(({ name }) => name)
  if (!extractor)
    throw new UserError(
      `unknown extractor "${choice.name}"${didYouMean(choice.name, names)}; there are ${names.join(', ')}`,
    )
  const parsed = extractor.params.safeParse(choice.params)
  if (!parsed.success)
    throw new UserError(
      parsed.error.issues.map(({ path, message }) => ({
        message: `prepare.graph: ${[choice.name, ...path].join('.')}: ${message}`,
      })),
    )
  return { extractor, params: parsed.data as ExtractorParams }
}
