import { UserError } from '../../errors.ts'
import { didYouMean } from '../../text/nearest.ts'
import type { Json } from '../../types.ts'
import type { CommunityFinder } from './define.ts'
import { graphrag } from './graphrag.ts'
import { leiden } from './leiden.ts'

/** Every way to find communities, by name. */
export const communityFinders: readonly CommunityFinder[] = [
  graphrag,
  leiden,
] as unknown as readonly CommunityFinder[]

type Params = Readonly<Record<string, Json>>

/** The finder of a choice and its params with the defaults filled in. Throws a UserError for an unknown name or a bad param. */
export function resolveFinder(choice: { readonly name: string; readonly params: Params }): {
  readonly finder: CommunityFinder
  readonly params: Params
} {
  const finder = communityFinders.find(({ name }) => name === choice.name)
  const names = communityFinders.map(({ name }) => name)
  if (!finder)
    throw new UserError(
      `prepare.communities: unknown "${choice.name}"${didYouMean(choice.name, names)}; there are ${names.join(', ')}`,
    )
  const parsed = finder.params.safeParse(choice.params)
  if (!parsed.success)
    throw new UserError(
      parsed.error.issues.map(({ path, message }) => ({
        message: `prepare.communities: ${[choice.name, ...path].join('.')}: ${message}`,
      })),
    )
  return { finder, params: parsed.data as Params }
}
