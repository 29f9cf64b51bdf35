import { z } from 'zod'
import { createRegistry, type Definition, type Registry } from '../../registry.ts'
import { LANGUAGES } from '../../text/languages.ts'

const params = z.strictObject({})

/** `auto`, `none`, and every language with a Snowball stemmer, also by ISO 639 code. */
const known: readonly Definition[] = [
  {
    name: 'auto',
    summary: "each script's language by its stop words; without a stemmer where there is none",
    params,
  },
  { name: 'none', summary: 'no stop words, no stems', params },
  ...Object.entries(LANGUAGES)
    .filter(([, { stemmer }]) => stemmer)
    .map(([name, { code, list }]) => ({
      name,
      aliases: [code],
      summary: list === undefined ? 'a Snowball stemmer' : 'stop words and a Snowball stemmer',
      params,
    })),
]

/** Languages of a corpus (`src/text/languages.ts`). */
export const languages: Registry<Definition> = {
  ...createRegistry<Definition>('language', known),
  why(name) {
    const other = Object.entries(LANGUAGES).find(([long, { code }]) => long === name || code === name)
    if (!other) return undefined
    const [long, { list }] = other
    const words = list === undefined ? 'neither stop words nor stems' : 'its stop words without stems'
    return `Snowball has no stemmer for ${long}; \`auto\` falls back to ${words} there, \`none\` is without both`
  },
}
