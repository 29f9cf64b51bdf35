import type { Draft, Drafter } from '../draft.ts'
import { goldFrom, plain, sectionsWithParagraphs } from '../passages.ts'

/** A paragraph that is one question: `**May I ...?**`, `Q: May I ...?`. */
const QUESTION =
  /^(?:>\s*)?(?:(?:\*\*|__)\s*)?(?:Q(?:uestion)?[.:]\s*)?(?:(?:\*\*|__)\s*)?(\S[^\n]{7,199}\?)\s*(?:\*\*|__)?$/u
/** Question and answer in one paragraph, the question on the first line. */
const PAIR =
  /^(?:>\s*)?(?:\*\*|__)?(?:Q(?:uestion)?[.:]\s*)?(?:(?:\*\*|__)\s*)?(\S[^\n?]{7,199}\?)(?:\*\*|__)?[^\S\n]*\n\s*\S/u

/** Answers that are prose. */
const PROSE = /^(?!```)(?:\*\*|__|>|A(?:nswer)?[.:]|\s)*[\p{L}\p{N}`"'“]/u
/** Words of a question that needs the text before it. */
const POINTING = /\b(?:this|that|these|those)\b|^(?:\S+\s?){1,2}$/i

/** Questions that the documents ask and answer themselves, in a paragraph or a heading above prose. */
export const faq: Drafter = (documents) =>
  documents.flatMap((document) =>
    sectionsWithParagraphs(document).flatMap(({ path, paragraphs }) => {
      const draft = (text: string, answer: (typeof paragraphs)[number] | undefined): Draft[] => {
        const isProse = answer && PROSE.test(document.text.slice(answer.start, answer.end))
        const gold = isProse && !POINTING.test(text) ? goldFrom(document, answer) : undefined
        return gold ? [{ kind: 'faq', text, gold: [gold], from: [document.id] }] : []
      }
      const heading = path.at(-1) ?? ''
      const headed = heading.endsWith('?') ? draft(heading, paragraphs[0]) : []
      return [
        ...headed,
        ...paragraphs.flatMap((paragraph, index): Draft[] => {
          const text = document.text.slice(paragraph.start, paragraph.end)
          const pair = PAIR.exec(text)
          const asked = pair ?? QUESTION.exec(text)
          return asked ? draft(plain(asked[1]), pair ? paragraph : paragraphs[index + 1]) : []
        }),
      ]
    }),
  )
