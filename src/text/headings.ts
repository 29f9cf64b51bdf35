import { entityKey } from './entity-key.ts'
import { plainHeading } from './plain-heading.ts'

interface Heading {
  /** 1 for `#` to 6. */
  readonly level: number
  /** Without marks of emphasis and closing `#`s. */
  readonly name: string
  /** UTF-16 offset of the line's beginning. */
  readonly start: number
}

const LINE = /^ {0,3}(#{1,6})(?:[ \t](.*))?\r?$/
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/

/** The ATX headings of a Markdown text in order (CommonMark 0.31, section 4.2); lines in fenced code are none. */
export function headingsOf(text: string): Heading[] {
  const headings: Heading[] = []
  let fence = ''
  let start = 0
  for (const line of text.split('\n')) {
    const mark = FENCE.exec(line)
    if (fence !== '') {
      if (mark && mark[1][0] === fence[0] && mark[1].length >= fence.length && mark[2].trim() === '')
        fence = ''
    } else if (mark && !(mark[1][0] === '`' && mark[2].includes('`'))) {
      fence = mark[1]
    } else {
      const heading = LINE.exec(line)
      if (heading) headings.push({ level: heading[1].length, name: plain(heading[2] ?? ''), start })
    }
    start += line.length + 1
  }
  return headings
}

function plain(name: string): string {
  return name
    .trim()
    .replace(/(?:^|(?<![ \t])[ \t]+)#+$/, '')
    .replace(/^(\*{1,3}|_{1,3}|`)(.+)\1$/, '$2')
    .trim()
}

/** The path of headings down to a chunk (`Sea > Harbour > Crew`), its title if it is below no heading; may be ''. */
export function headingPath(chunk: { readonly section: readonly string[]; readonly title: string }): string {
  return chunk.section.length > 0 ? chunk.section.join(' > ') : chunk.title
}

/** The headings above a chunk, its own title last; without those that have no letter or digit. */
export function sectionPath({
  section,
  title,
}: {
  readonly section: readonly string[]
  readonly title: string
}) {
  const path = section.filter((name) => entityKey(name) !== '')
  if (entityKey(title) !== '' && entityKey(path.at(-1) ?? '') !== entityKey(title)) path.push(title)
  return path
}

/** A heading's anchor as GitHub makes it: lower case, a hyphen for each space, no other marks. */
export function anchorOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-')
}

/** A heading with the text below it, down to the next heading of whatever level; `path` is empty above the first. */
export interface HeadingSection {
  readonly path: readonly string[]
  readonly start: number
  readonly end: number
}

export function sectionsOf(text: string): HeadingSection[] {
  const headings = headingsOf(text)
  let path: Heading[] = []
  const below = headings.map((heading, index): HeadingSection => {
    path = [...path.filter(({ level }) => level < heading.level), heading]
    const end = headings[index + 1]?.start ?? text.length
    return { path: path.map(({ name }) => name), start: heading.start, end }
  })
  const first = headings[0]?.start ?? text.length
  return first > 0 ? [{ path: [], start: 0, end: first }, ...below] : below
}

/**
 * Fenced code; else a line below none of its paragraph, which is no quotation, item, row, element or code, and its underline; else a
 * heading in HTML.
 */
const OTHER_HEADING =
  /^ {0,3}(`{3,20}(?!.*`)|~{3,})[\s\S]*?(?:^ {0,3}\1[`~]*[ \t]*\r?$|$(?![\s\S]))|(?<!^[ \t]*[^\s#=].*\n)^ {0,3}(?![#=>|<]|(?:[-*+]|\d{1,9}[.)])\s)(\S.*)\n {0,3}(?:(=+)|-+)[ \t]*(?=\r?$)|^ {0,3}<h([1-6])\b[^<>]*>((?:(?!<\/h)[^\n]|\n(?!\s*\n)){1,500})<\/h\4>[ \t]*(?=\r?$)/gim

/**
 * A Markdown text with its underlined headings (CommonMark 0.31, section 4.3) and those in HTML as lines of `#`. Below more than one
 * line, plain texts draw rules and tables.
 */
export function withAtxHeadings(text: string): string {
  return text.replace(
    OTHER_HEADING,
    (whole, _, name?: string, double?: string, level?: string, inner = '') => {
      const words = name?.trim() ?? plainHeading(inner.replace(/\s+/g, ' '))
      return /^(?:<|$)/.test(words) ? whole : `${'#'.repeat(Number(level ?? (double ? 1 : 2)))} ${words}`
    },
  )
}
