import { UNSPACED_CHARACTERS } from './scripts.ts'

/**
 * Spellings of the names with signs in a text, indexed with its words. Words joined by -, & or / are a name only if one
 * holds a digit or is a single letter. A run of a script without spaces is no part of a name.
 *
 *     C++, C#, .NET, v1.2.3              whole        1,234.50      1234.50
 *     GPT-4o, foo_bar, Node.js, AT&T     joined       getUserById   its parts
 */
export function signedNames(text: string): string[] {
  return (text.match(NAME) ?? []).flatMap((name) => {
    if (/^(?:\p{L}?\p{Ll}*|\p{N}*)$/u.test(name)) return []
    const parts = name.split(SIGNS).flatMap(partsOf)
    return [...spellings(name), ...parts]
  })
}

const L = `[[\\p{L}\\p{N}\\p{M}]--[${UNSPACED_CHARACTERS}]]`
/** Letters and digits joined by one of . _ - & / (numbers also by commas), or with ++, # or + behind, or with a dot before. */
const NAME = new RegExp(`(?<!${L})\\.?${L}+(?:[._&\\/\\-]${L}+|,\\p{Nd}+)*(?:\\+\\+|[#+])?(?!${L})`, 'gv')
const SIGNS = /[._&/,#+-]+/
/** A capital behind a small letter, or before one behind a capital: getUserById, LightRAG, HTTPServer. */
const CAMEL = /\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u
/** Capitals, perhaps a plural (APIs), or a word. */
const PARTS = /\p{Lu}+s?(?!\p{Ll})|\p{Lu}?\p{Ll}+/gu

function spellings(name: string): string[] {
  if (!SIGNS.test(name)) return []
  if (/^\p{Nd}[\p{Nd},]*(?:\.\p{Nd}+)?$/u.test(name)) return [name.replaceAll(',', '')]
  if (/^\.|[#+]$|\p{Nd}\.\p{Nd}/u.test(name)) return [name]
  const named = /[._]|\p{N}|(?<![\p{L}\p{M}])\p{L}(?![\p{L}\p{M}])/u.test(name)
  return named ? [name.replace(/[._&/,-]/g, '')] : []
}

function partsOf(name: string): string[] {
  if (!CAMEL.test(name) || /\p{N}/u.test(name)) return []
  const parts = name.match(PARTS) ?? []
  return parts.length > 1 && parts.every(({ length }) => length > 1) ? parts : []
}
