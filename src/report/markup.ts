import { type ComponentChildren, Fragment, h } from 'preact'
import { renderToString } from 'preact-render-to-string'

/** Control characters except tab and line breaks, lone surrogates, and noncharacters. */
const FORBIDDEN = /(?![\t\n\r])[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/gu

/** HTML of components: texts are escaped, forbidden characters become U+FFFD. */
export function rendered(node: ComponentChildren): string {
  return renderToString(h(Fragment, null, node)).replace(FORBIDDEN, '\ufffd')
}

/** Markup of this program, never texts of a corpus or a config. */
export function trusted(text: string) {
  return { dangerouslySetInnerHTML: { __html: text } }
}

/** JSON for a script element: no `<`, no control character. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value)
    .replace(/</g, '\\u003c')
    .replace(FORBIDDEN, jsonEscape)
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029')
}

function jsonEscape(char: string): string {
  return Array.from(
    { length: char.length },
    (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')
}
