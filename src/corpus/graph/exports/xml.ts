import { wellFormed } from '../../../text/well-formed.ts'

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

/** Text in an XML 1.0 document, in an attribute or between tags. Characters that XML cannot hold become U+FFFD. */
export function xmlText(text: string): string {
  return (
    wellFormed(text)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has no form for these characters.
      .replace(/[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g, '\uFFFD')
      .replace(/[&<>"\t\n\r]/g, (character) => ESCAPES[character])
  )
}
