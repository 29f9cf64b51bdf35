const TARGET = String.raw`\((?:[^()\s\\]|\\.|\([^()]*\))*(?:\s+(?:"[^"]*"|'[^']*'))?\)`
const IMAGE = String.raw`!\[([^\]]*)\](?:${TARGET}|\[[^\]]*\])`
/** A picture that is a link, such as a badge. */
const BADGE = new RegExp(String.raw`\[\s*${IMAGE}\s*\](?:${TARGET}|\[[^\]]*\])`, 'g')
const PICTURE = new RegExp(IMAGE, 'g')
/** Behind a letter or a digit two pairs of brackets are an index, as in `rows[i][j]`. */
const LINK = new RegExp(String.raw`\[([^[\]]*)\]${TARGET}|(?<![\p{L}\p{N}_])\[([^[\]]*)\]\[[^\]]*\]`, 'gu')
/** Elements that are written into headings; other words between angle brackets may be types. */
const ELEMENT =
  /<\/?(?:a|abbr|b|big|br|code|del|div|em|font|h[1-6]|i|ins|kbd|mark|p|picture|q|s|samp|small|source|span|strong|sub|sup|svg|u|var)(?:\s[^<>]*)?\/?>|<!--[\s\S]*?-->/gi
const IMG = /<img\b[^<>]*?>/gi
/** The id or the classes that Pandoc, kramdown and Docusaurus read behind a heading. */
const ATTRIBUTES = /(?<!\s)\s*\{(?:[#.][\w-]+(?:\s[^{}]*)?|:[^{}]*)\}\s*$/
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
}

/** Characters of the longest heading whose marks are removed: patterns that match pairs of marks take quadratic time. */
const LONGEST = 1000

/**
 * A heading as a reader sees it: without badges, addresses, HTML, attributes and marks, but with underscores. A heading of pictures is
 * named by their texts.
 */
export function plainHeading(heading: string): string {
  if (heading.length > LONGEST || !/[[\]<>{}*`~\\&]/.test(heading)) return heading
  const alternatives: string[] = []
  const hide = (text = '') => {
    alternatives.push(text)
    return ' '
  }
  const codes: string[] = []
  const whole = heading
    .replace(/(`+)(.+?)\1(?!`)/g, (_, _marks, code: string) => `\ue000${codes.push(code.trim()) - 1}\ue000`)
    .replace(BADGE, (_, text: string) => hide(text))
    .replace(PICTURE, (_, text: string) => hide(text))
    .replace(IMG, (tag) => hide(/\balt=(?:"([^"]*)"|'([^']*)')/i.exec(tag)?.slice(1).find(Boolean)))
    .replace(LINK, '$1$2')
    .replace(ELEMENT, '')
    .replace(/<(https?:[^<>\s]*)>/g, '$1')
    .replace(ATTRIBUTES, '')
    .replace(/(?<![\p{L}\p{N}*\\])(\*{1,3}|~~)(?=\S)(.+?)(?<=[^\s\\])\1(?![\p{L}\p{N}*])/gu, '$2')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => ENTITIES[entity])
  const plain = spaced(whole.replace(/\ue000(\d+)\ue000/g, (_, index: string) => codes[Number(index)] ?? ''))
  return plain || spaced(alternatives.join(' ')) || heading
}

function spaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
