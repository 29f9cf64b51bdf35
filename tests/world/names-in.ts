import type { Entity } from '../../scripts/world/model.ts'

/**
 * Which entities a text names, by any form that the world uses for them. Of names within names the longest counts:
 * "the Halmouth Survey" does not name the town of Halmouth.
 */
export function createNamesIn(entities: readonly Entity[]): (text: string) => Set<Entity> {
  const byForm = new Map<string, Entity[]>()
  for (const entity of entities) {
    const bare = entity.name.replace(/ \([^)]*\)$/, '')
    const forms = [entity.mention, bare, ...entity.aliases].map((form) => form.replace(/^the /, ''))
    for (const form of new Set(forms)) byForm.set(form, [...(byForm.get(form) ?? []), entity])
  }
  const longestFirst = [...byForm.keys()].sort((a, b) => b.length - a.length)
  const escaped = longestFirst.map((form) => form.replace(/[.()]/g, '\\$&'))
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join('|')})(?![\\p{L}\\p{N}])`, 'gu')
  return (text) => new Set([...text.matchAll(pattern)].flatMap(([form]) => byForm.get(form) ?? []))
}
