import { entityKey } from '../../text/entity-key.ts'
import { compareIds } from '../../text/ids.ts'
import type { Extraction } from './extractors/index.ts'

/** Distinct facts by subject, predicate, object; sorted by them. Subjects and objects are entity rows. */
export interface MergedFacts {
  readonly subjects: Uint32Array
  readonly predicates: readonly string[]
  readonly objects: Uint32Array
  readonly counts: Uint32Array
}

/**
 * HippoRAG's facts: distinct links with their counts; predicates are normalised like entity keys. Facts of an entity with
 * itself are included.
 */
export function mergeFacts(
  extractions: readonly Extraction[],
  rowOf: (name: string, names?: Extraction['names']) => number,
): MergedFacts {
  const total = extractions.reduce((sum, { links }) => sum + links.length, 0)
  const subject = new Uint32Array(total)
  const object = new Uint32Array(total)
  const predicate = new Uint32Array(total)
  const byText = new Map<string, number>()
  const byKey = new Map<string, number>()
  const keys: string[] = []
  let size = 0
  for (const { links, names } of extractions)
    for (const { source, target, predicate: written } of links) {
      const from = rowOf(source, names)
      const to = rowOf(target, names)
      if (from < 0 || to < 0) continue
      let number = byText.get(written)
      if (number === undefined) {
        const key = entityKey(written)
        number = byKey.get(key)
        if (number === undefined) {
          number = keys.length
          keys.push(key)
          byKey.set(key, number)
        }
        byText.set(written, number)
      }
      subject[size] = from
      object[size] = to
      predicate[size++] = number
    }
  const sortedKeys = keys.map((_, number) => number).sort((a, b) => compareIds(keys[a], keys[b]))
  const rank = new Uint32Array(keys.length)
  sortedKeys.forEach((number, i) => {
    rank[number] = i
  })
  const compare = (a: number, b: number) =>
    subject[a] - subject[b] || rank[predicate[a]] - rank[predicate[b]] || object[a] - object[b]
  const order = Uint32Array.from({ length: size }, (_, i) => i).sort(compare)
  const first: number[] = []
  const counts: number[] = []
  order.forEach((link, i) => {
    if (i > 0 && compare(order[i - 1], link) === 0) counts[counts.length - 1]++
    else {
      first.push(link)
      counts.push(1)
    }
  })
  return {
    subjects: Uint32Array.from(first, (link) => subject[link]),
    predicates: first.map((link) => keys[predicate[link]]),
    objects: Uint32Array.from(first, (link) => object[link]),
    counts: Uint32Array.from(counts),
  }
}

export function factText(subject: string, predicate: string, object: string): string {
  return predicate === '' ? `${subject} ${object}` : `${subject} ${predicate} ${object}`
}
