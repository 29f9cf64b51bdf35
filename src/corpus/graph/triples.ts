import { entityKey } from '../../text/entity-key.ts'
import type { Link, Mention } from './extractors/define.ts'

/** A triple of open information extraction, as files and models write it: three texts or numbers. */
export function isTriple(triple: unknown): triple is unknown[] {
  return (
    Array.isArray(triple) &&
    triple.length === 3 &&
    triple.every((part) => typeof part === 'string' || typeof part === 'number')
  )
}

/** Both ends of a triple stand in the chunk, and are related; HippoRAG's form. */
export function addTriple(
  triple: readonly unknown[],
  chunk: number,
  found: { readonly mentions: Mention[]; readonly links: Link[] },
): void {
  const [source, predicate, target] = triple.map(String)
  const text = `${source} ${predicate} ${target}`
  found.mentions.push({ name: source, chunk, count: 1, text })
  if (entityKey(target) !== entityKey(source)) found.mentions.push({ name: target, chunk, count: 1, text })
  found.links.push({ source, target, predicate, chunk, weight: 1 })
}
