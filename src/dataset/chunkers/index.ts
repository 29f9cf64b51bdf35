import { UserError } from '../../errors.ts'
import { didYouMean } from '../../text/nearest.ts'
import type { Json } from '../../types.ts'
import type { Chunker } from './define.ts'
import { headings } from './headings.ts'
import { passages } from './passages.ts'
import { sentences } from './sentences.ts'
import { tokens } from './tokens.ts'

/** Every chunker, by name. */
export const chunkers: readonly Chunker[] = [
  headings,
  passages,
  sentences,
  tokens,
] as unknown as readonly Chunker[]

/** The chunker of a choice and its params with the defaults filled in. Throws a UserError for an unknown name or a param out of range. */
export function resolveChunker(choice: {
  readonly name: string
  readonly params: Readonly<Record<string, Json>>
}): {
  readonly chunker: Chunker
  readonly params: Record<string, Json>
} {
  const chunker = chunkers.find(({ name }) => name === choice.name)
  const names = chunkers.map(({ name }) => name)
  if (!chunker)
    throw new UserError(
      `unknown chunker "${choice.name}"${didYouMean(choice.name, names)}; there are ${names.join(', ')}`,
    )
  const parsed = chunker.params.safeParse(choice.params)
  if (!parsed.success)
    throw new UserError(
      parsed.error.issues.map(({ path, message }) => ({
        message: `chunk ${[choice.name, ...path].join('.')}: ${message}`,
      })),
    )
  return { chunker, params: parsed.data as Record<string, Json> }
}
