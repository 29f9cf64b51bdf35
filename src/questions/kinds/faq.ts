import { sentences } from '../../text/sentences.ts'
import type { Draft, Drafter } from '../draft.ts'
import { contentWords, goldFrom, plain, sectionsWithParagraphs } from '../passages.ts'

/** Longest answer in characters: part of an answer may not answer. */
const LONGEST = 1000

/** A first line that is a question: `**May I ...?**`, `Q: May I ...?`. The answer is below it, in its paragraph or the next. */
const QUESTION = /^(?:>\s*)?(?:\*\*|__)?([^\n]{8,200}\?)[^\S\n]*(?:\*\*|__)?[^\S\n]*(?:\n|$)/u
/** Number or mark before a question: `4.2.`, `Q:`. */
const NUMBER = /^(?:[*_]*(?:Q(?:uestion)?\s?\d*[.:)]|\d+(?:\.\d+)*[.:)]?|-)[*_\s]+)+/u

/** Answers that are prose, no code and no line of a table of contents. */
const PROSE = /^(?!```|[\d.]+[.)]\s)(?:\*\*|__|>|A(?:nswer)?[.:]|\s)*[\p{L}\p{N}`"'“]/u
const SENTENCE = /[\p{L}\p{N})`"'”’*_][.!:](?:\s|$)/u

/** Beginning of a question with a verb: no `Why Debian?`, no `RAID or LVM?`. */
const ASKS =
  /^(?:(?:to|in|on|at|for|with|from|under) )?(?:(?:what|which|who|whose)|(?:(?:why|how|when|where)(?: \p{L}+)?[ '’])?(?:s|is|are|was|were|do|does|did|don|doesn|isn|aren|can|could|should|will|would|may|must|has|have)|how to)\b/iu
/** Words of a question that needs the text before it. */
const POINTING = /\b(?:this|that|these|those|we|our|(?:what|how) about)\b/i
/** Words without a subject, as in `What's the solution?`, `How does it work?`. */
const NO_SUBJECT =
  /^(?:solution|problem|issue|answer|reason|difference|point|catch|idea|work|works|happens?|happening|mean|means|next|else|going|wrong|use|start|started|\p{L})$/u

function isClear(text: string): boolean {
  const last = sentences(text).at(-1)
  const words = new Set(contentWords(text).filter((word) => !NO_SUBJECT.test(word)))
  return (
    last !== undefined &&
    ASKS.test(text.slice(last.start)) &&
    !POINTING.test(text) &&
    words.size >= (/^what(?:['’]s| is| are) (?!it\b)/i.test(text) ? 1 : 2)
  )
}

/** Questions that the documents ask and answer themselves, in a paragraph or heading; all text up to the next one is the answer. */
export const faq: Drafter = (documents) =>
  documents.flatMap((document) =>
    sectionsWithParagraphs(document).flatMap(({ path, paragraphs }) => {
      const texts = paragraphs.map(({ start, end }) => document.text.slice(start, end))
      const isQuestion = texts.map((text) => QUESTION.test(text))
      const draft = (question: string, at: number): Draft[] => {
        const text = question.replace(NUMBER, '')
        if (!isClear(text) || !PROSE.test(texts[at] ?? '')) return []
        const next = isQuestion.indexOf(true, at + 1)
        const { end } = paragraphs.at(next < 0 ? -1 : next - 1) ?? paragraphs[at]
        const gold = goldFrom(document, { start: paragraphs[at].start, end }, LONGEST)
        return gold?.end === end && SENTENCE.test(document.text.slice(gold.start, end))
          ? [{ kind: 'faq', text, gold: [gold], from: [document.id] }]
          : []
      }
      const heading = path.at(-1) ?? ''
      return [
        ...(heading.endsWith('?') && !isQuestion[0] ? draft(heading, 0) : []),
        ...texts.flatMap((text, index): Draft[] => {
          const match = QUESTION.exec(text)
          const at = text.includes('\n') ? index : index + 1
          return match && (at === index || !isQuestion[at]) ? draft(plain(match[1]), at) : []
        }),
      ]
    }),
  )
