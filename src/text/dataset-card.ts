import { isMap } from './json.ts'
import { createPattern } from './patterns.ts'
import { parseYaml } from './yaml.ts'

export const CARD = 'README.md'

interface CardConfig {
  readonly name: string
  readonly isDefault: boolean
  readonly splits: readonly { readonly split: string; readonly has: (path: string) => boolean }[]
}

/** Split of files for which a card names none. */
const UNNAMED = 'test'

/** `configs` of the front matter of a dataset card; none if the card has none or cannot be read. */
export function cardConfigs(card: string): CardConfig[] {
  const [, front] = /^---\r?\n([\s\S]*?)\r?\n---/.exec(card) ?? []
  if (front === undefined) return []
  const { value, readable } = parseYaml(front, CARD)
  const configs = readable ? (value as { configs?: unknown } | null)?.configs : undefined
  if (!Array.isArray(configs)) return []
  return configs.flatMap((config): CardConfig[] => {
    const { config_name: name, data_files: files, default: usual } = (config ?? {}) as Record<string, unknown>
    if (typeof name !== 'string') return []
    const splits = patternsIn(files, UNNAMED).map(({ split, pattern }) => ({ split, has: matcher(pattern) }))
    return [{ name, splits, isDefault: usual === true || name === 'default' }]
  })
}

/** Patterns in `data_files`: a text, a list, a map by split, or a list of `{split, path}`. */
function patternsIn(
  patterns: unknown,
  split: string,
): { readonly split: string; readonly pattern: string }[] {
  if (typeof patterns === 'string') return [{ split, pattern: patterns.replace(/^\.\//, '') }]
  if (Array.isArray(patterns)) return patterns.flatMap((pattern) => patternsIn(pattern, split))
  if (!isMap(patterns)) return []
  const { path, split: named, ...bySplit } = patterns
  return path === undefined
    ? Object.entries(bySplit).flatMap(([name, pattern]) => patternsIn(pattern, name))
    : patternsIn(path, typeof named === 'string' ? named : split)
}

function matcher(pattern: string): (path: string) => boolean {
  const parts = pattern.split(/(\*\*\/?|\*|\?)/)
  const source = parts.map((part) => {
    if (part.startsWith('**')) return '.*'
    if (part === '*') return '[^/]*'
    return part === '?' ? '[^/]' : part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  })
  // A card's author may write a pattern on which a backtracking matcher never ends.
  return createPattern(`^${source.join('')}$`).isIn
}
