import { sentences } from '../../text/sentences.ts'
import type { Draft, Drafter } from '../draft.ts'
import { goldFrom, lowerCase, plain, sectionsWithParagraphs } from '../passages.ts'

/** A sentence that says what something is: `A harbour is a ...`, `Retrieval augmented generation (RAG) is a ...`. */
const SAID =
  /^(?:(?<article>An?|The)\s+)?(?<term>\p{L}[\p{L}\p{N}'’_./+#-]*(?: [\p{L}\p{N}'’_./+#-]+){0,3})(?: \([\p{L}\p{N} .-]+\))?,?\s+(?<verb>is|are|refers to)\s+(?:an?|the)\s+(?<rest>\p{L}.*)$/u
/** Words within what is no name: words that point, join clauses or say where and how, and participles. */
const NO_NAME =
  /\b(?:this|that|these|those|the|an?|it|there|here|each|hence|thus|then|now|when|if|what|which|where|how|they|we|you|although|because|while|not|itself|most|one|another|other|above|below|following|first|second|third|for|of|to|in|on|with|shown|available|nice|and|or|as|\p{L}+ed)\b/iu
/** Names of what only its section identifies, such as `the error property`. */
const PART =
  /\b(?:parameter|argument|option|property|properties|field|method|function|export|value|attribute|feature|line|instance)s?$/i
/** A noun of at most six words, then its distinction or the end; `an elegant solution and` has none. */
const NOUN =
  /^(?:(?!so |but |and it )[\p{L}\p{N}'’“”"()/.-]+,? ){0,5}?[\p{L}\p{N}'’“”"()/.-]+(?:,? (?:that|which|who|where|whose|for|of|to|used|with|in|on|by|from|between|\p{L}+ing)\b|\.?$)/u
/** First words of a noun that praise or place a thing. */
const PRAISE =
  /^(?:[\p{L}-]+ ){0,2}(?:very|most|good|great|interesting|important|useful|main|early|tricky|dangerous|complex|evolving|example|fact|solution|part|foundation|point|default|same)\b/iu
/** Questions for a thing that the first sentence of a paragraph defines. One word after `The` needs the words before it. */
export const definitions: Drafter = (documents) =>
  documents.flatMap((document) =>
    sectionsWithParagraphs(document).flatMap(({ paragraphs }) =>
      paragraphs.flatMap((paragraph): Draft[] => {
        const text = document.text.slice(paragraph.start, paragraph.end)
        const [sentence] = sentences(text)
        const first = plain(text.slice(sentence?.start ?? 0, sentence?.end ?? 0))
        const { article = '', term = '', verb = '', rest = '' } = SAID.exec(first)?.groups ?? {}
        const gold = goldFrom(document, paragraph)
        const isPointing = article === 'The' && !term.includes(' ')
        // `Using a cache is a ...`, but `An operating system is a ...`.
        const isClause = article === '' && /^\p{L}+ing\s/iu.test(term)
        if (
          !gold ||
          isPointing ||
          isClause ||
          NO_NAME.test(term) ||
          (!article.startsWith('A') && PART.test(term)) ||
          PRAISE.test(rest) ||
          !NOUN.test(rest) ||
          !/^[*_]*\p{L}/u.test(text)
        )
          return []
        const isCommon = verb === 'are' || term.endsWith('ing')
        const name = `${article.toLowerCase()} ${isCommon ? lowerCase(term) : term}`.trim()
        const be = verb === 'are' ? 'are' : 'is'
        return [{ kind: 'definition', text: `What ${be} ${name}?`, gold: [gold], from: [document.id] }]
      }),
    ),
  )
