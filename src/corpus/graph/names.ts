import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { quoted } from '../../models/embedder.ts'
import { type Artifact, defineArtifact } from '../../store/artifact.ts'
import { eachJsonLine, hashFile, readText } from '../../store/input.ts'
import { entityKey } from '../../text/entity-key.ts'
import { ENGLISH_STOPWORDS } from '../../text/languages.ts'
import { ENGLISH, stopTokens, type TextProfile } from '../../text/tokenize.ts'

/**
 * Name in running text by its form: a run of capitalised words, joined by spaces, hyphens, `&` or up to two small
 * words ("University of the South"); numbers may follow ("Apollo 11"). It begins with no function word, and counts at
 * a sentence's start only if the corpus does not write it small. A date is a year, a decade, or a month with a day or
 * year.
 */
interface Name {
  readonly start: number
  readonly end: number
  readonly kind: 'name' | 'date'
}

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’.\-–&][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*/gu
const CAPITAL = /^\p{Lu}/u
const JOINING = new Set(
  'of the de del della di da do dos du des la le les van von der den bin ibn al el for'.split(' '),
)
const MONTH =
  /^(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)$/
const TITLES = new Set('St Mr Mrs Ms Dr Prof Gen Col Lt Sgt Capt Rev Sir Mt Ft No'.split(' '))
const YEAR = /^(?:1\d{3}|20\d{2})$/
const YEAR_OF_DATE = /^\d{3,4}$/
const NUMBER = /^\d+$/
const DECADE = /^(?:1\d|20)\d0['’]?s$/
const CENTURY = /^\d{1,2}(?:st|nd|rd|th)$/
const DAY = /^(?:[12]?\d|3[01])(?:st|nd|rd|th)?$/
const ENGLISH_FUNCTION_WORDS: ReadonlySet<string> = new Set([
  ...ENGLISH_STOPWORDS,
  ...`he she we you i his her its our your my they them after before during while since until although though because
  however also both each every some many most several other another one two three first second third all any more when
  where which who what how why here therefore thus so yet still once upon under over between among within without
  through about against despite unlike instead later today now only even just another those following according
  despite additionally furthermore moreover meanwhile it's there's has have had can could would should may might
  must shall been being than too very us me him`.split(/\s+/),
])

export function functionWordsOf(profile: TextProfile = ENGLISH): ReadonlySet<string> {
  const english = Object.values(profile.languages).includes('english')
  return new Set([...(english ? ENGLISH_FUNCTION_WORDS : []), ...stopTokens(profile)])
}

export function countSmallWords(texts: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts)
    for (const [word] of text.matchAll(WORD))
      if (!CAPITAL.test(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

export function findNames(
  sentence: string,
  smallWords: ReadonlyMap<string, number>,
  functionWords: ReadonlySet<string> = ENGLISH_FUNCTION_WORDS,
): Name[] {
  const words = Array.from(sentence.matchAll(WORD), ({ 0: text, index }) => ({
    text,
    start: index,
    end: index + text.length,
  }))
  const before = (index: number) => sentence.slice(words[index - 1].end, words[index].start)
  const follows = (index: number, form: RegExp) =>
    index < words.length && form.test(words[index].text) && [' ', ', '].includes(before(index))
  const isCapital = (index: number) => CAPITAL.test(words[index].text)

  /** Index after the date that begins at word `at`, or `at`: 11 November 875; November 11, 1975; 19th century. */
  function dateAt(at: number): number {
    const { text } = words[at]
    const withYear = () => (follows(at + 2, YEAR_OF_DATE) ? at + 3 : at + 2)
    if (/^[0-9]/.test(text)) {
      if (DAY.test(text) && follows(at + 1, MONTH)) return withYear()
      if (CENTURY.test(text) && follows(at + 1, /^century$/)) return at + 2
      return YEAR.test(text) || DECADE.test(text) ? at + 1 : at
    }
    if (!MONTH.test(text)) return at
    if (follows(at + 1, DAY)) return withYear()
    return follows(at + 1, YEAR_OF_DATE) ? at + 2 : at
  }

  /** Index after the name that begins at word `at`, or `at`. */
  function nameAt(at: number): number {
    const first = words[at].text.toLowerCase()
    if (!isCapital(at) || functionWords.has(first)) return at
    let end = at + 1
    for (;;) {
      if (joins(end) && (isCapital(end) || NUMBER.test(words[end].text))) {
        if (!isCapital(end) && dateAt(end) > end) break
        end++
        continue
      }
      let next = end
      while (next < end + 2 && joins(next) && JOINING.has(words[next].text)) next++
      if (next === end || !joins(next) || !isCapital(next)) break
      end = next + 1
    }
    const opensSentence = at === 0 && end === 1
    return opensSentence && (smallWords.get(first) ?? 0) > 0 ? at : end
  }

  function joins(index: number): boolean {
    if (index >= words.length) return false
    const { text } = words[index - 1]
    const between = before(index)
    // "J. Smith", "St. Louis": this full stop does not end a name.
    return (
      between === ' ' || between === ' & ' || (between === '. ' && (text.length === 1 || TITLES.has(text)))
    )
  }

  const names: Name[] = []
  const add = (at: number, end: number, kind: Name['kind']) => {
    const last = words[end - 1]
    const isGenitive = kind === 'name' && /['’]s$/u.test(last.text)
    names.push({ start: words[at].start, end: isGenitive ? last.end - 2 : last.end, kind })
  }
  for (let at = 0; at < words.length; ) {
    const date = dateAt(at)
    // "1920 Summer Olympics" is a name that begins with a year.
    const isYear = date === at + 1 && date < words.length && YEAR.test(words[at].text)
    const named = isYear && before(date) === ' ' ? nameAt(date) : date
    const end = named > date ? named : date > at ? date : nameAt(at)
    if (end > at) add(at, end, named > date || date === at ? 'name' : 'date')
    at = Math.max(end, at + 1)
  }
  return names.filter(({ start, end }) => entityKey(sentence.slice(start, end)).length > 1)
}

const WHAT = 'recorded names'

const line = z.strictObject({ text: z.string().min(1), names: z.array(z.string().trim().min(1)) })

interface RecordedNames {
  /** Names of a question. Throws a UserError if the file lacks it. */
  of(text: string): readonly string[]
}

/** Reads recorded names, a JSON object per line: `{"text": "...", "names": ["..."]}`. */
export function recordedNames(path: string): Artifact<RecordedNames> {
  return defineArtifact({
    name: 'recorded_names',
    version: 1,
    params: { sha256: hashFile(path, WHAT) },
    inputs: {},
    async open() {
      const names = readNames(path)
      return {
        of(text) {
          const recorded = names.get(text)
          if (recorded) return recorded
          const message = `holds no names of ${quoted(text)}; record the names again, or leave the file out`
          throw new UserError(message, path)
        },
      }
    },
  })
}

export function hashNamesFile(path: string): string {
  readNames(path)
  return hashFile(path, WHAT)
}

function readNames(path: string): Map<string, readonly string[]> {
  const names = new Map<string, readonly string[]>()
  eachJsonLine(path, readText(path, WHAT), (value, wrong) => {
    const { data } = line.safeParse(value)
    if (!data) wrong('is not {"text": "...", "names": ["..."]}')
    else if (names.has(data.text)) wrong('repeats a text above')
    else names.set(data.text, [...new Set(data.names)])
  })
  return names
}
