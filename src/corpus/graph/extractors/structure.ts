import { z } from 'zod'
import { entityKey } from '../../../text/entity-key.ts'
import { headingsOf, sectionPath } from '../../../text/headings.ts'
import { inReadingOrder } from '../../../text/order.ts'
import { sentences } from '../../../text/sentences.ts'
import { knownHeadings, referencesOf } from '../references.ts'
import { defineExtractor, type Link, type Mention } from './define.ts'

/**
 * Relates headings of structured documents: a heading contains those below it, the next section follows it, and "see X" or
 * a link to an anchor refers to the heading X (references.ts).
 */
export const structure = defineExtractor({
  name: 'structure',
  version: 3,
  summary: 'headings: contains, next, and references: "see X" or a link to an anchor',
  params: z.strictObject({}),
  extract({ chunks, documents }) {
    const paths = chunks.map(sectionPath)
    const known = new Map<string, string>()
    const know = (name: string) => {
      const key = entityKey(name)
      if (key !== '' && !known.has(key)) known.set(key, name)
    }
    for (const { title } of documents) know(title)
    for (const path of paths) path.forEach(know)
    for (const { text } of chunks) for (const { name } of headingsOf(text)) know(name)
    const headings = knownHeadings(known)

    const mentions: Mention[] = []
    const links: Link[] = []
    let unresolved = 0
    const inOrder = inReadingOrder(chunks)
    inOrder.forEach((chunk, i) => {
      const { text, documentId } = chunks[chunk]
      const path = paths[chunk]
      const relate = (source: string, predicate: string, target: string, description?: string) => {
        if (entityKey(source) !== entityKey(target) && entityKey(source) !== '' && entityKey(target) !== '')
          links.push({ source, target, predicate, relation: predicate, chunk, weight: 1, description })
      }
      path.forEach((name, depth) => {
        if (depth === path.length - 1)
          mentions.push({ name, chunk, count: 1, type: 'heading', text: opening(text) })
        else mentions.push({ name, chunk, count: 1, type: 'heading' })
        if (depth > 0) relate(path[depth - 1], 'contains', name)
      })
      const heading = path.at(-1) ?? ''
      for (const { name } of headingsOf(text)) {
        mentions.push({ name, chunk, count: 1, type: 'heading' })
        relate(heading, 'contains', name)
      }
      const before = inOrder[i - 1]
      if (before !== undefined && chunks[before].documentId === documentId)
        relate(paths[before].at(-1) ?? '', 'next', heading)
      for (const { key, sentence } of referencesOf(text, headings)) {
        const target = key === undefined ? undefined : known.get(key)
        if (target === undefined) {
          unresolved++
          continue
        }
        mentions.push({ name: target, chunk, count: 1, type: 'heading', text: sentence })
        relate(heading, 'references', target, sentence)
      }
    })
    return {
      mentions,
      links,
      describe: { separator: ' ', tokens: 100 },
      notices: { unresolvedReferences: unresolved },
    }
  },
})

/** First sentence of a section, without its heading. */
function opening(text: string): string | undefined {
  const body = text.replace(/^#{1,6}[^\n]*\n+/u, '')
  const first = sentences(body.slice(0, 2000))[0]
  return first && body.slice(first.start, first.end)
}
