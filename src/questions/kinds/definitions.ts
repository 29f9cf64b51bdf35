import { sentences } from '../../text/sentences.ts'
import type { Draft, Drafter } from '../draft.ts'
import { goldFrom, nameKey, plain, sectionsWithParagraphs } from '../passages.ts'

/** A sentence that says what something is: `A harbour is a ...`, `**Locks** are the ...`. */
const SAID =
  /^(?:(?<article>An?|The)\s+)?(?<term>\p{L}[\p{L}\p{N}'’_./+#-]*(?: [\p{L}\p{N}'’_./+#-]+){0,3})\s+(?<verb>is|are)\s+(?:an?|the|any|one)\s+\p{L}/u
/** Words within what is no name: words that point, join clauses or say where and how, and participles. */
const NO_NAME =
  /\b(?:this|that|these|those|it|there|here|each|such|hence|thus|then|when|if|what|why|how|which|who|where|he|she|they|we|you|your|its|their|our|my|because|while|since|not|only|also|itself|both|all|some|most|many|one|another|other|above|below|following|next|first|last|same|to|for|from|in|on|at|with|without|by|of|beyond|behind|between|inside|outside|under|over|after|before|shown|given|and|or|as|example|note|important|reason|result|\p{L}+ing|\p{L}+ed)\b/iu

/** Questions for a thing that the first sentence of a paragraph defines. One word after `The` needs the words before it. */
export const definitions: Drafter = (documents) =>
  documents.flatMap((document) =>
    sectionsWithParagraphs(document).flatMap(({ paragraphs }) =>
      paragraphs.flatMap((paragraph): Draft[] => {
        const text = document.text.slice(paragraph.start, paragraph.end)
        const [sentence] = sentences(text)
        const first = plain(text.slice(sentence?.start ?? 0, sentence?.end ?? 0))
        const { article = '', term = '', verb } = SAID.exec(first)?.groups ?? {}
        const gold = goldFrom(document, paragraph)
        const isPointing = article === 'The' && !term.includes(' ')
        const isPlural = verb === 'is' && /[^s]s$/i.test(term) && term.includes(' ')
        if (
          !gold ||
          isPointing ||
          isPlural ||
          nameKey(term) === '' ||
          NO_NAME.test(term) ||
          !/^[*_]*\p{L}/u.test(text)
        )
          return []
        const name = article === '' ? term : `${article.toLowerCase()} ${term}`
        return [{ kind: 'definition', text: `What ${verb} ${name}?`, gold: [gold], from: [document.id] }]
      }),
    ),
  )
