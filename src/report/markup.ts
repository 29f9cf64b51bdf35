import { type ComponentChildren, Fragment, h } from 'preact'
import { renderToString } from 'preact-render-to-string'

/** Control characters but tab and line breaks, lone surrogates, and what Unicode has no character for. */
const FORBIDDEN = /(?![\t\n\r])[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/gu

/** Markup of components as they are before a script runs: texts are escaped, characters that HTML forbids become U+FFFD. */
export function rendered(node: ComponentChildren): string {
  return renderToString(h(Fragment, null, node)).replace(FORBIDDEN, '\ufffd')
}

/** Markup that this program wrote itself, never texts of a corpus or a config. */
export function trusted(text: string) {
  return { dangerouslySetInnerHTML: { __html: text } }
}

/** A JSON value for a script element: no `<` is left that could end the element, no raw control character. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value)
    .replace(/</g, '\\u003c')
    .replace(FORBIDDEN, jsonEscape)
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029')
}

/** A character as JSON writes it by its code units. */
function jsonEscape(char: string): string {
  return Array.from(
    { length: char.length },
    (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')
}
