import type { Draft, Drafter } from '../draft.ts'
import { goldFrom, plain, sectionsWithParagraphs } from '../passages.ts'

/** A paragraph that is one question: `**May I ...?**`, `Q: May I ...?`. */
const QUESTION =
  /^(?:>\s*)?(?:(?:\*\*|__)\s*)?(?:Q(?:uestion)?[.:]\s*)?(?:(?:\*\*|__)\s*)?(\S[^\n]{7,199}\?)\s*(?:\*\*|__)?$/u
/** Question and answer in one paragraph. */
const PAIR =
  /^(?:>\s*)?(?:\*\*|__)?Q(?:uestion)?[.:]\s*(?:(?:\*\*|__)\s*)?(\S[^\n]{7,199}\?)(?:\*\*|__)?[^\S\n]*\n\s*(?:\*\*|__)?A(?:nswer)?[.:]/u

/** Questions that the documents ask and answer themselves. */
export const faq: Drafter = (documents) =>
  documents.flatMap((document) =>
    sectionsWithParagraphs(document).flatMap(({ paragraphs }) =>
      paragraphs.flatMap((paragraph, index): Draft[] => {
        const text = document.text.slice(paragraph.start, paragraph.end)
        const pair = PAIR.exec(text)
        const asked = pair ?? QUESTION.exec(text)
        const answer = pair ? paragraph : paragraphs[index + 1]
        const gold = asked && answer && goldFrom(document, answer)
        return gold ? [{ kind: 'faq', text: plain(asked[1]), gold: [gold], from: [document.id] }] : []
      }),
    ),
  )
