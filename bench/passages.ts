import { loadParts } from '../src/config/parts.ts'
import { chunkDocuments } from '../src/corpus/chunks/chunk.ts'
import { createRandom } from '../src/random.ts'
import type { Chunk, Document } from '../src/types.ts'

await loadParts([])

const SYLLABLES = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu'.split(' ')

/**
 * Passages of an invented world: `count` texts of some 80 words in five sentences with about three names each, a few
 * names frequent and most of them rare, as in an encyclopedia. The same count gives the same passages.
 */
export function syntheticPassages(count: number): { documents: Document[]; chunks: Chunk[] } {
  const random = createRandom(count)
  const word = (syllables: number) =>
    Array.from({ length: syllables }, () => SYLLABLES[random.below(SYLLABLES.length)]).join('')
  const words = Array.from({ length: 5000 }, () => word(1 + random.below(3)))
  const capital = (text: string) => text[0].toUpperCase() + text.slice(1)
  const names = Array.from({ length: 2 * count }, () =>
    Array.from({ length: 2 + random.below(2) }, () => capital(word(2 + random.below(2)))).join(' '),
  )
  // The square puts weight on the first: half of all mentions go to a quarter of the names.
  const name = () => names[Math.floor(names.length * random.uniform() ** 2)]
  const some = (n: number) => Array.from({ length: n }, () => words[random.below(words.length)]).join(' ')
  const sentence = (subject: string) =>
    `${subject} ${some(3 + random.below(4))} ${name()} ${some(2 + random.below(4))} ${name()} ${some(3)}${random.below(3) === 0 ? ` in ${1800 + random.below(220)}` : ''}.`
  const documents = Array.from({ length: count }, (_, row): Document => {
    const title = names[row]
    const text = Array.from({ length: 5 }, (_, place) => sentence(place === 0 ? title : name())).join(' ')
    return { id: `p${String(row).padStart(6, '0')}`, title, text, metadata: {} }
  })
  return { documents, chunks: chunkDocuments(documents, { name: 'passages', params: {} }) }
}
