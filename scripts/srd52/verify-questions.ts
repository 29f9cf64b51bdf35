import { goldRange, quoteRanges } from '../../src/dataset/gold-places.ts'
import { CATEGORIES, type Question, type Quoted, readingOf, type Verdict } from './questions.ts'
import { sectionsIn } from './texts.ts'

/** A quote longer than this is more than a quote. */
const LONGEST = 300

/** What is wrong with the questions over the given texts, by file; nothing is wrong with none. */
export function problemsOf(
  questions: readonly Question[],
  verdicts: readonly Verdict[],
  texts: ReadonlyMap<string, string>,
): string[] {
  const problems: string[] = []
  const ids = new Set<string>()
  const asked = new Set<string>()
  for (const question of questions) {
    const { _id, text, metadata, gold, trap = [] } = question
    const say = (what: string) => problems.push(`${_id}: ${what}`)
    const prefix = CATEGORIES[metadata.category]
    if (prefix === undefined) say(`unknown category "${metadata.category}"`)
    else if (!new RegExp(`^${prefix}-\\d\\d$`).test(_id)) say(`the id does not begin with "${prefix}-"`)
    if (ids.has(_id)) say('the id is taken')
    if (asked.has(text)) say('the question is asked twice')
    ids.add(_id)
    asked.add(text)
    if (gold.length === 0) say('has no gold')
    if (trap.length > 0 !== (metadata.category === 'trap'))
      say('a trap, and only a trap, names a wrong passage')
    if (metadata.category === 'two-rules' && needsOf(gold) < 2) say('needs one rule only')
    for (const place of [...gold, ...trap]) for (const what of wrongWith(place, texts)) say(what)
    for (const wrong of trap)
      if (gold.some((right) => right.file === wrong.file && right.quote === wrong.quote))
        say('the trap is gold')
    const verdict = verdicts.find((one) => one._id === _id)
    if (!verdict) say('has not been checked by reading')
    else if (verdict.read !== readingOf(question)) say('was changed after it was checked by reading')
    else if (!verdict.answers) say('its gold does not answer it, says the check by reading')
  }
  for (const { _id } of verdicts) if (!ids.has(_id)) problems.push(`${_id}: checked, and no question`)
  return problems
}

function wrongWith(place: Quoted, texts: ReadonlyMap<string, string>): string[] {
  const text = texts.get(place.file)
  if (text === undefined) return [`there is no file ${place.file}`]
  if (place.quote.length > LONGEST) return [`a quote of ${place.quote.length} characters is too long`]
  const times = quoteRanges(text, place.quote).length
  if (times !== 1) return [`${place.file} holds the quote ${times} times: "${place.quote}"`]
  const range = goldRange(text, place, sectionsIn(text))
  return typeof range === 'string' ? [`${place.file} ${range}`] : []
}

/** How many things must be found: groups, and pieces of gold in none. */
function needsOf(gold: readonly Quoted[]): number {
  return new Set(gold.map(({ group }, index) => group ?? index)).size
}
