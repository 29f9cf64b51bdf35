import { z } from 'zod'
import { entityKey } from '../../../text/entity-key.ts'
import { headingsOf, plainHeading, sectionPath } from '../../../text/headings.ts'
import { inReadingOrder } from '../../../text/ids.ts'
import { sentences } from '../../../text/sentences.ts'
import type { Chunk, Document } from '../../../types.ts'
import { knownHeadings, referencesOf } from '../references.ts'
import { defineExtractor, type Link, type Mention } from './index.ts'

/**
 * Relates the chunks of structured documents; each is one entity, named by its path of headings (docs/corpus.md#graphs).
 * A reference leads to the chunk with the heading whose path has most in common with its own; one that does not decide
 * is counted.
 */
export default defineExtractor({
  name: 'structure',
  version: 5,
  summary: 'sections: contains, next, and references: "see X" or a link to an anchor',
  params: z.strictObject({}),
  make: () => ({
    relations: ['contains', 'next', 'references'],
    extract({ chunks, documents }) {
      const order = inReadingOrder(chunks)
      const paths = pathsOf(chunks, documents)
      const names = uniqueNames(order, paths, chunks)
      const links: Link[] = []
      const relate = (from: number, relation: string, to: number, chunk: number, description?: string) => {
        const ends = { source: names[from], target: names[to] }
        links.push({ ...ends, predicate: relation, relation, chunk, weight: 1, description })
      }
      const parents = parentsOf(order, paths, chunks)
      order.forEach((chunk, i) => {
        const before = order[i - 1]
        if (parents[chunk] >= 0) relate(parents[chunk], 'contains', chunk, chunk)
        if (before !== undefined && chunks[before].documentId === chunks[chunk].documentId)
          relate(before, 'next', chunk, chunk)
      })
      const notices = { unresolvedReferences: 0, ambiguousReferences: 0 }
      const holders = holdersOf(order, paths, chunks)
      const headings = knownHeadings(new Map([...holders].map(([key, { name }]) => [key, name])))
      for (const chunk of order)
        for (const { key, sentence } of referencesOf(chunks[chunk].text, headings)) {
          const held = key === undefined ? undefined : holders.get(key)
          const targets = held ? nearest(chunk, held.chunks, paths, chunks) : []
          if (targets.length === 0) notices.unresolvedReferences++
          else if (targets.length > 1) notices.ambiguousReferences++
          else if (targets[0] !== chunk) relate(chunk, 'references', targets[0], chunk, sentence)
        }
      // A chunk without a heading is an entity only if it is related to another.
      const related = new Set(links.flatMap(({ source, target }) => [source, target]))
      const mentions = chunks.flatMap(({ text }, chunk): Mention[] => {
        const name = names[chunk]
        if (paths[chunk].length === 0 && !related.has(name)) return []
        return [{ name, chunk, count: 1, type: 'heading', text: opening(text) }]
      })
      return { mentions, links, names: 'exact', describe: { separator: ' ', tokens: 100 }, notices }
    },
  }),
})

type Paths = readonly (readonly string[])[]

/** Headings down to each chunk, the document's title first. */
function pathsOf(chunks: readonly Chunk[], documents: readonly Document[]): Paths {
  const titles = new Map(documents.map(({ id, title }) => [id, title]))
  return chunks.map((chunk) => {
    const path = sectionPath(chunk)
    const title = titles.get(chunk.documentId) ?? ''
    const isNamed = entityKey(title) === '' || entityKey(path[0] ?? '') === entityKey(title)
    return isNamed ? path : [title, ...path]
  })
}

const SEPARATOR = ' > '

/** One name for each chunk: its path, else its id, with a number if an earlier chunk has the name. */
function uniqueNames(order: Uint32Array, paths: Paths, chunks: readonly Chunk[]): string[] {
  const names: string[] = []
  const taken = new Set<string>()
  const next = new Map<string, number>()
  for (const chunk of order) {
    const path = paths[chunk].join(SEPARATOR).trim() || chunks[chunk].id
    let name = path
    for (let number = next.get(path) ?? 2; taken.has(name); number++) {
      name = `${path} (${number})`
      next.set(path, number + 1)
    }
    taken.add(name)
    names[chunk] = name
  }
  return names
}

/** The chunk that contains each chunk, or -1: the first one of its section, else of the nearest section above. */
function parentsOf(order: Uint32Array, paths: Paths, chunks: readonly Chunk[]): Int32Array {
  const parents = new Int32Array(chunks.length).fill(-1)
  const first = new Map<string, number>()
  for (const chunk of order) {
    const path = paths[chunk]
    const keyOf = (depth: number) => JSON.stringify([chunks[chunk].documentId, ...path.slice(0, depth)])
    for (let depth = path.length; depth > 0 && parents[chunk] < 0; depth--)
      parents[chunk] = first.get(keyOf(depth)) ?? -1
    if (!first.has(keyOf(path.length))) first.set(keyOf(path.length), chunk)
  }
  return parents
}

interface Holders {
  readonly name: string
  readonly chunks: Set<number>
}

/** Headings by key, with the chunks that contain them or begin their section. */
function holdersOf(order: Uint32Array, paths: Paths, chunks: readonly Chunk[]): Map<string, Holders> {
  const holders = new Map<string, Holders>()
  const hold = (name: string, chunk: number) => {
    const key = entityKey(name)
    if (key === '') return
    const holder = holders.get(key)
    if (holder) holder.chunks.add(chunk)
    else holders.set(key, { name, chunks: new Set([chunk]) })
  }
  const begun = new Set<string>()
  for (const chunk of order) {
    const path = paths[chunk]
    path.forEach((name, depth) => {
      const section = JSON.stringify([chunks[chunk].documentId, ...path.slice(0, depth + 1)])
      if (!begun.has(section)) hold(name, chunk)
      begun.add(section)
    })
    for (const { name } of headingsOf(chunks[chunk].text)) hold(plainHeading(name), chunk)
  }
  return holders
}

/** The holders in the chunk's own document whose paths share most headings with its own; all if none is in its document. */
function nearest(
  chunk: number,
  holders: Iterable<number>,
  paths: Paths,
  chunks: readonly Chunk[],
): readonly number[] {
  const shared = (other: number) => {
    if (chunks[other].documentId !== chunks[chunk].documentId) return -1
    const apart = paths[chunk].findIndex((name, depth) => paths[other][depth] !== name)
    return apart < 0 ? paths[chunk].length : apart
  }
  const all = [...holders].map((holder) => ({ holder, shared: shared(holder) }))
  const most = all.reduce((most, { shared }) => Math.max(most, shared), -1)
  return all.filter(({ shared }) => shared === most).map(({ holder }) => holder)
}

function opening(text: string): string | undefined {
  const body = text.replace(/^#{1,6}[^\n]*\n+/u, '')
  const first = sentences(body.slice(0, 2000))[0]
  return first && body.slice(first.start, first.end)
}
