import type { GoldSpan } from '../../dataset/types.ts'
import { sentences } from '../../text/sentences.ts'
import type { Draft, Drafter } from '../draft.ts'
import { goldFrom, nameKey, plain, sectionsWithParagraphs } from '../passages.ts'

/** Shortest and longest sentence that a question quotes. */
const QUOTED = { least: 50, most: 220 }

interface Target {
  readonly name: string
  readonly gold: GoldSpan
}

/**
 * Two-hop questions: a sentence that mentions another document or section by its name, with the name left out. The sentence
 * and the beginning of the named passage are both gold.
 */
export const references: Drafter = (documents) => {
  const targets = targetsIn(documents)
  return documents.flatMap((document) => {
    const seen = new Set<string>()
    return sentences(document.text).flatMap(({ start, end }): Draft[] => {
      const sentence = document.text.slice(start, end)
      if (sentence.length < QUOTED.least || sentence.length > QUOTED.most || /[|\n#]/.test(sentence))
        return []
      const named = mentioned(sentence, targets)
      if (!named || seen.has(named.name)) return []
      const { gold } = named
      if (gold.documentId === document.id && gold.start < end && start < gold.end) return []
      seen.add(named.name)
      const blank = plain(sentence).replace(named.name, '___')
      return [
        {
          kind: 'reference',
          text: `What is said about the thing left out here: "${blank}"`,
          gold: [{ documentId: document.id, start, end }, gold],
          answer: named.name,
          from: [...new Set([document.id, gold.documentId])],
        },
      ]
    })
  })
}

/** Names of documents and sections that are unique, of two words or more, and begin with a capital. */
function targetsIn(documents: Parameters<Drafter>[0]): ReadonlyMap<string, readonly Target[]> {
  const byKey = new Map<string, Target[]>()
  for (const document of documents) {
    const sections = sectionsWithParagraphs(document)
    const named = [
      {
        name: plain(document.title),
        paragraphs: sections.find(({ paragraphs }) => paragraphs.length > 0)?.paragraphs ?? [],
      },
      ...sections.map(({ path, paragraphs }) => ({ name: path.at(-1) ?? '', paragraphs })),
    ]
    for (const { name, paragraphs } of named) {
      const [first] = paragraphs
      const gold = first && goldFrom(document, first)
      const key = nameKey(name)
      const known = byKey.get(key) ?? []
      // The title as the first heading is one name.
      if (
        gold &&
        !known.some((one) => one.gold.documentId === gold.documentId && one.gold.start === gold.start)
      )
        byKey.set(key, [...known, { name, gold }])
    }
  }
  const byFirst = new Map<string, Target[]>()
  for (const [key, found] of byKey) {
    const [target] = found
    if (found.length !== 1 || !/^\p{Lu}/u.test(target.name)) continue
    if (!key.includes(' ')) continue
    const [first] = target.name.split(' ')
    byFirst.set(first, [...(byFirst.get(first) ?? []), target])
  }
  return byFirst
}

function mentioned(sentence: string, targets: ReadonlyMap<string, readonly Target[]>): Target | undefined {
  const words = plain(sentence)
  for (const { 0: word, index } of [...words.matchAll(/\S+/g)].slice(1)) {
    const first = word.replace(/[^\p{L}\p{N}]+$/u, '')
    const found = [...(targets.get(first) ?? []), ...(first === word ? [] : (targets.get(word) ?? []))].find(
      ({ name }) => words.startsWith(name, index) && !/[\p{L}\p{N}]/u.test(words[index + name.length] ?? ' '),
    )
    if (found) return found
  }
  return undefined
}
