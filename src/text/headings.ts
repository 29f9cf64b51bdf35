import { entityKey } from './entity-key.ts'

interface Heading {
  /** 1 for `#` to 6. */
  readonly level: number
  /** Without marks of emphasis and closing `#`s. */
  readonly name: string
  /** UTF-16 offset of the line's beginning. */
  readonly start: number
}

const LINE = /^( {0,3})(#{1,6})(?:[ \t]+(.*?))?[ \t]*\r?$/
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/

/** The ATX headings of a Markdown text in order (CommonMark 0.31, section 4.2); lines in fenced code are none. */
export function headingsOf(text: string): Heading[] {
  const found: Heading[] = []
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
      if (heading) found.push({ level: heading[2].length, name: plain(heading[3] ?? ''), start })
    }
    start += line.length + 1
  }
  return found
}

function plain(name: string): string {
  return name
    .replace(/(^|[ \t]+)#+$/, '')
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
  /** The headings above it and its own, outermost first. */
  readonly path: readonly string[]
  readonly start: number
  readonly end: number
}

/** The sections of a Markdown text, which together are the whole of it. */
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

const FRONT = /^---[ \t]*\r?\n(?=\S)[\s\S]*?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*\r?$/
const INDENTED = /^(?: {4}|\t)/
/** Line after which a paragraph may begin at once: a heading or a rule. */
const APART = /^ {0,3}(?:#{1,6}(?:\s|$)|(?:[-_*][ \t]*){3,}\r?$)/
/** Beginning of a quotation, a list item, a table row or an element, which goes on to the next blank line. */
const BLOCK = /^ {0,3}(?:>|(?:[-*+]|\d{1,9}[.)])(?:\s|$)|<|\|)/

/** A Markdown text with every underlined heading (CommonMark 0.31, section 4.3) as a line of `#`. */
export function withoutUnderlines(text: string): string {
  const [front = ''] = FRONT.exec(text) ?? []
  const lines: string[] = []
  let fence = ''
  /** Lines of the paragraph so far. */
  let open = 0
  let isBlock = false
  for (const line of text.slice(front.length).split('\n')) {
    const [, mark = '', behind = ''] = FENCE.exec(line) ?? []
    const [, underline] = UNDERLINE.exec(line) ?? []
    const name = (underline && open > 0 ? lines.slice(-open) : [])
      .map((part) => part.trim())
      .filter((part) => !/^=+$/.test(part))
      .join(' ')
    if (name !== '' && fence === '') {
      lines.splice(
        -open,
        open,
        `${underline?.startsWith('=') ? '#' : '##'} ${name}${line.endsWith('\r') ? '\r' : ''}`,
      )
      open = 0
      continue
    }
    lines.push(line)
    if (fence !== '') fence = mark.startsWith(fence) && behind.trim() === '' ? '' : fence
    else if (mark !== '' && !(mark[0] === '`' && behind.includes('`'))) fence = mark
    else if (line.trim() === '' || APART.test(line)) isBlock = false
    else if (BLOCK.test(line)) isBlock = true
    const isCode = fence !== '' || mark !== '' || (INDENTED.test(line) && open === 0)
    open = isCode || isBlock || line.trim() === '' || APART.test(line) ? 0 : open + 1
  }
  return front + lines.join('\n')
}
