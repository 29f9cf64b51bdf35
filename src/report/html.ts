/** A piece of markup. Only `html` and `markup` make one, so a plain text can never slip in unescaped. */
export interface Html {
  readonly markup: string
}

type Piece = Html | string | number | null | undefined | false | readonly Piece[]

/** Text made safe between tags and inside double-quoted attributes: characters that HTML forbids become U+FFFD. */
export function escapeHtml(text: string): string {
  return text.replace(FORBIDDEN, '\ufffd').replace(/[&<>"']/g, (char) => ESCAPES[char])
}
/** Control characters but tab and line breaks, lone surrogates, and what Unicode has no character for. */
const FORBIDDEN = /(?![\t\n\r])[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/gu
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Markup with holes: texts are escaped, pieces of markup are not, lists are joined, null and false are nothing. */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return { markup: strings.reduce((out, text, index) => out + render(pieces[index - 1]) + text) }
}

function render(piece: Piece): string {
  if (piece === null || piece === undefined || piece === false) return ''
  if (typeof piece === 'string') return escapeHtml(piece)
  if (typeof piece === 'number') return String(piece)
  if ('markup' in piece) return piece.markup
  return piece.map(render).join('')
}

/** Text of a piece of markup, without its tags. */
export function textOf({ markup }: Html): string {
  const plain = markup.replace(/<[^<>]*>/g, '')
  return Object.entries(ESCAPES).reduceRight((text, [char, entity]) => text.replaceAll(entity, char), plain)
}

/** A sentence for terminal and page alike: text between backticks becomes code, all of it escaped. */
export function withCode(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`
}

/** Trusted markup, unescaped: for markup that this program wrote itself, never for texts of a corpus or a config. */
export function markup(text: string): Html {
  return { markup: text }
}

/** A JSON value inside `<script type="application/json">`: no `<` is left that could end the element, no raw control character. */
export function embedJson(value: unknown): Html {
  return {
    markup: JSON.stringify(value)
      .replace(/</g, '\\u003c')
      .replace(FORBIDDEN, jsonEscape)
      .replace(/\u2028/g, '\\u2028')
      .replace(/\u2029/g, '\\u2029'),
  }
}

/** A character as JSON writes it by its code units. */
function jsonEscape(char: string): string {
  return Array.from(
    { length: char.length },
    (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')
}
