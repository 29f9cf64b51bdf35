import { UserError } from '../errors.ts'
import type { DatasetFormat, FileRule, Params, Part, Role } from './format.ts'
import { hasKeys, LATER_SHARD, type Source } from './source.ts'

/** Files of a folder whose beginning is read to recognize a format. */
const SNIFFED = 200

/** Files that a rule names, in order. The first of several shards stands for all. */
export function filesOfRole(
  rule: FileRule,
  source: Source,
  params: Params,
  most = Number.POSITIVE_INFINITY,
): Part[] {
  if (rule.find) return [...rule.find(source, params)]
  const { path = /^/, keys = [], head } = rule
  for (const pattern of [path].flat()) {
    const parts = source.files
      .slice(0, head ? most : undefined)
      .filter((file) => !LATER_SHARD.test(file))
      .flatMap((file): Part[] => {
        const match = pattern.exec(file)
        const fits =
          match && hasKeys(source.shape(file), ...keys) && (head?.test(source.shape(file).head) ?? true)
        return fits ? [{ file, ...(match.groups?.split && { split: match.groups.split }) }] : []
      })
    if (parts.length > 0) return parts
  }
  return []
}

/** Files by which a path is recognized as a format; undefined if it is not. */
export function recognize(format: DatasetFormat, source: Source): readonly string[] | undefined {
  try {
    return recognized(format, source)
  } catch (error) {
    // Two files for one role: the reader says which.
    if (error instanceof UserError) return []
    throw error
  }
}

function recognized(format: DatasetFormat, source: Source): readonly string[] | undefined {
  const { place = 'folder', least = 1 } = format
  if (place !== 'either' && (place === 'file') === source.isFolder) return undefined
  const roles = (Object.entries(format.rolesOf?.({}) ?? format.roles) as [Role, FileRule][])
    .map(([, rule]) => filesOfRole(rule, source, {}, SNIFFED))
    .filter((parts) => parts.length > 0)
  if (roles.length < least || format.recognises?.(source) === false) return undefined
  return roles.flat().map(({ file }) => file)
}
