import type { Draft, Drafter } from '../draft.ts'
import { goldFrom, plain, sectionsWithParagraphs } from '../passages.ts'

/** A declaration in source code, with its name and parameters. */
const DECLARED =
  /^[ \t]*(?:export\s+)?(?:default\s+)?(?:public\s+|static\s+)*(?:async\s+)?(?:function\*?|def|func|fn)\s+([A-Za-z_$][\w$]*)\s*(?:<[^>\n]*>)?\(([^()\n]*)\)/gmu
/** A heading that is a call: `chunk(array, [size=1])`, `fs.readFile(path)`. */
const CALL = /^(?:[\w$]+\.)*([A-Za-z_$][\w$]{2,})\(([^()]*)\)/u

/** Questions for a function by its name and parameters. */
export const signatures: Drafter = (documents) =>
  documents.flatMap((document) => [
    ...sectionsWithParagraphs(document).flatMap(({ path, paragraphs }): Draft[] => {
      const call = CALL.exec(path.at(-1) ?? '')
      const [first] = paragraphs
      const gold = call && first && goldFrom(document, first)
      return gold ? [draftOf(call[1], call[2], gold, document.id)] : []
    }),
    ...[...document.text.matchAll(DECLARED)].map((found): Draft => {
      const lead = found[0].length - found[0].trimStart().length
      const start = found.index + lead
      return draftOf(
        found[1],
        found[2],
        { documentId: document.id, start, end: found.index + found[0].length },
        document.id,
      )
    }),
  ])

function draftOf(name: string, params: string, gold: Draft['gold'][number], document: string): Draft {
  const named = plain(params)
    .split(',')
    .map((param) =>
      param
        .replace(/[:=].*$/s, '')
        .replace(/[[\]{}]/g, '')
        .trim(),
    )
    .filter((param) => param !== '')
  const given = named.length === 0 ? 'without arguments' : `given ${named.join(', ')}`
  return { kind: 'signature', text: `What does ${name} do, ${given}?`, gold: [gold], from: [document] }
}
