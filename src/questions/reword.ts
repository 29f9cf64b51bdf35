import type { Draft, Drafted, Dropped } from './draft.ts'
import { goldWords } from './filters.ts'
import { contentWords } from './passages.ts'

/** Rules that keep a question from copying the words of its gold. */
export const REWORDINGS = ['removed', 'paraphrased'] as const
export type Rewording = (typeof REWORDINGS)[number]

/** Share of the shared words that is removed, the longest first. */
const REMOVED = 0.5
/** Content words without which a question asks nothing. */
const LEAST = 2

/** Rewords each question by a rule; one that the rule cannot reword is dropped. */
export function rewordDrafts(
  drafts: readonly Draft[],
  rule: Rewording,
  texts: ReadonlyMap<string, string>,
): Drafted {
  const dropped: Dropped[] = []
  const reworded = drafts.flatMap((draft): Draft[] => {
    const inGold = goldWords(draft, texts)
    const text = rule === 'removed' ? withoutShared(draft.text, inGold) : paraphrased(draft.text, inGold)
    if (text !== undefined) return [{ ...draft, text }]
    const reason =
      rule === 'removed'
        ? 'nothing is left without the words of its gold'
        : 'no word of its gold has a synonym here'
    dropped.push({ draft, reason })
    return []
  })
  return { drafts: reworded, dropped }
}

/** The text without half of the words that its gold holds; itself if it holds none. */
function withoutShared(text: string, goldWords: ReadonlySet<string>): string | undefined {
  const words = [...new Set(contentWords(text))]
  const shared = words
    .filter((word) => goldWords.has(word))
    .sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
  const removed = new Set(shared.slice(0, Math.ceil(shared.length * REMOVED)))
  if (words.length - removed.size < LEAST) return undefined
  return eachWord(text, (word) => (removed.has(word.toLowerCase()) ? '' : word))
}

/** The text with synonyms in place of words that its gold holds; undefined if no such word has one. */
function paraphrased(text: string, goldWords: ReadonlySet<string>): string | undefined {
  let replaced = 0
  const said = eachWord(text, (word) => {
    const synonym = goldWords.has(word.toLowerCase()) ? SYNONYMS.get(word.toLowerCase()) : undefined
    if (synonym !== undefined) replaced++
    return synonym ?? word
  })
  return replaced > 0 ? said : undefined
}

function eachWord(text: string, say: (word: string) => string): string {
  return text
    .replace(/[\p{L}\p{N}]+/gu, say)
    .replace(/\(\s*\)|"\s*"/g, '')
    .replace(/(?<!\s)\s+([?.,!:;])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Pairs of English words that manuals often use for one another; either may replace the other. */
const PAIRS = `add:append allow:permit answer:reply area:region argument:parameter array:list ask:request attack:strike
  authorization:permission begin:start bug:fault build:construct buy:purchase call:invoke change:modify check:verify choose:select close:shut
  command:instruction config:settings configuration:setup connect:link contain:hold cost:price create:make damage:harm default:standard
  delete:remove describe:explain difficult:hard directory:folder disable:deactivate display:show edit:alter enable:activate end:finish
  error:failure example:sample execute:run fast:quick feature:capability file:document find:locate fix:repair format:layout
  function:method get:obtain guide:tutorial handle:process help:assist identical:same import:load improve:enhance increase:raise
  information:details install:setup issue:problem item:entry join:combine keep:retain large:big length:duration limit:maximum
  magic:sorcery map:chart message:notice movement:motion name:label need:require number:count object:thing often:frequently
  open:unlock option:choice order:sequence output:result password:passphrase path:route power:strength prevent:stop print:write
  property:attribute protect:shield pull:drag push:shove quit:exit range:reach read:parse reduce:lower release:version
  rename:relabel replace:substitute return:yield safe:secure save:store script:program search:lookup send:transmit server:host
  set:assign small:little spell:incantation split:divide string:text support:back test:trial tool:utility type:kind update:refresh
  usage:use user:person value:content variable:placeholder warning:caution weapon:arms width:breadth worker:employee`

const SYNONYMS: ReadonlyMap<string, string> = new Map(
  PAIRS.split(/\s+/).flatMap((pair) => {
    const [a, b] = pair.split(':')
    return [
      [b, a],
      [a, b],
    ] as const
  }),
)
