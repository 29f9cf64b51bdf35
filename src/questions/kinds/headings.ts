import type { Draft, Drafter } from '../draft.ts'
import { goldFrom, nameKey, plain, sectionsWithParagraphs } from '../passages.ts'

/** Known-item questions: a section by its heading. A heading that is a question becomes an FAQ pair. */
export const headings: Drafter = (documents) =>
  documents.flatMap((document) =>
    sectionsWithParagraphs(document).flatMap(({ path, paragraphs }): Draft[] => {
      const leaf = path.at(-1) ?? ''
      const [gold] = paragraphs.flatMap((paragraph) => goldFrom(document, paragraph) ?? [])
      if (nameKey(leaf) === '' || !gold) return []
      const from = [document.id]
      if (leaf.endsWith('?')) return [{ kind: 'faq', text: leaf, gold: [gold], from }]
      const [above] = [...[...path].reverse(), plain(document.title)].filter(
        (name) => nameKey(name) !== '' && nameKey(name) !== nameKey(leaf),
      )
      const text = above ? `What does ${above} say about ${leaf}?` : `What is said about ${leaf}?`
      return [{ kind: 'heading', text, gold: [gold], from }]
    }),
  )
