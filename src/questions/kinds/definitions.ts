import type { Draft, Drafter } from '../draft.ts'
import { goldFrom, nameKey, plain, sectionsWithParagraphs } from '../passages.ts'

/** A term in bold or italics at the beginning of a paragraph or list item: `**Term.** ...`, `- *term*: ...`. */
const MARKED =
  /^(?:[-*+]\s+|\d+[.)]\s+)?[*_]{1,3}([^*_\n]{2,60}?)[.:]?[*_]{1,3}[.:]?\s*(?:[-–—:]\s*)?(\S[\s\S]{30,})$/u
/** A sentence that says what something is: `A harbour is a ...`. */
const SAID = /^(?:An?|The)?\s*(\p{L}[\p{L}\p{N}'’ -]{2,50}?)\s+(?:is|are|was)\s+(?:an?|the|any|one)\s/u
/** Words that begin a sentence and name nothing. */
const POINTING =
  /^(?:this|that|these|those|it|there|here|each|such|when|if|what|which|who|he|she|they|we|you|note|see|try|use|using|reason|example|above|below|following|another|other|one|some|both|all|most|many)\b/iu
/** A term: words, numbers and the signs within names; no clause and no code. */
const TERM = /^(?!.*\b(?:that|which|is|are|was|were)\b)[\p{L}\p{N}][\p{L}\p{N}'’ ./+#&-]*$/iu

/** Questions for a term that a passage defines. */
export const definitions: Drafter = (documents) =>
  documents.flatMap((document) =>
    sectionsWithParagraphs(document).flatMap(({ paragraphs }) =>
      paragraphs.flatMap((paragraph): Draft[] => {
        const text = document.text.slice(paragraph.start, paragraph.end)
        const term = plain((MARKED.exec(text) ?? SAID.exec(text))?.[1] ?? '')
        const gold = goldFrom(document, paragraph)
        if (nameKey(term) === '' || POINTING.test(term) || !TERM.test(term) || !gold) return []
        return [{ kind: 'definition', text: `What is ${term}?`, gold: [gold], from: [document.id] }]
      }),
    ),
  )
