import { entityKey } from '../../../text/entity-key.ts'
import type { Link, Mention } from './index.ts'

export function isTriple(triple: unknown): triple is unknown[] {
  return (
    Array.isArray(triple) &&
    triple.length === 3 &&
    triple.every((part) => typeof part === 'string' || typeof part === 'number')
  )
}

export function addTriple(
  triple: readonly unknown[],
  chunk: number,
  extraction: { readonly mentions: Mention[]; readonly links: Link[] },
): void {
  const [source, predicate, target] = triple.map(String)
  const text = `${source} ${predicate} ${target}`
  extraction.mentions.push({ name: source, chunk, count: 1, text })
  if (entityKey(target) !== entityKey(source))
    extraction.mentions.push({ name: target, chunk, count: 1, text })
  extraction.links.push({ source, target, predicate, chunk, weight: 1 })
}
