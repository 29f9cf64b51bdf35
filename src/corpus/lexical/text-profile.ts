import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { createRegistry, type Definition, type Registry, resolve } from '../../registry.ts'
import { type Artifact, defineArtifact } from '../../store/artifact.ts'
import { LANGUAGES } from '../../text/languages.ts'
import { type Recognised, recognise } from '../../text/recognise.ts'
import type { Script } from '../../text/scripts.ts'
import { type TextProfile, TOKENIZERS } from '../../text/tokenize.ts'
import { chunkTexts } from '../corpus.ts'
import type { Recipe } from '../recipe.ts'

interface CorpusProfile extends TextProfile {
  readonly seen: Recognised
}

const FILE = 'profile.json'
const AUTO = { name: 'auto', params: {} }

export function textProfile(recipe: Recipe): Artifact<CorpusProfile> {
  const tokenizer = resolve(tokenizers, recipe.tokenizer ?? AUTO)
  const language = resolve(languages, recipe.language ?? AUTO)
  const { name } = language.definition
  const named = { name: tokenizer.definition.name, ...tokenizer.params } as TextProfile['tokenizer']
  return defineArtifact({
    name: 'text_profile',
    version: 4,
    params: { tokenizer: named, language: name, ...language.params },
    inputs: { texts: chunkTexts(recipe) },
    async build(folder, inputs) {
      const profile = { ...profileOf(recognise(await inputs.texts()), named, name), ...language.params }
      writeFileSync(join(folder, FILE), `${JSON.stringify(profile, null, 2)}\n`)
    },
    open: (folder) => JSON.parse(readFileSync(join(folder, FILE), 'utf8')),
  })
}

/** Decides the languages. Latin words of no known language count as English, as names and code mostly are. */
function profileOf(seen: Recognised, tokenizer: TextProfile['tokenizer'], language: string): CorpusProfile {
  const of = {
    auto: () => ({ ...(seen.scripts.Latin === undefined ? {} : { Latin: 'english' }), ...seen.languages }),
    none: () => ({}),
  }[language]
  return {
    tokenizer,
    scripts: Object.keys(seen.scripts) as Script[],
    languages: of?.() ?? { [LANGUAGES[language].script]: language },
    seen,
  }
}

type Name = TextProfile['tokenizer']['name']

const none = z.strictObject({})

const SUMMARIES: Readonly<Record<Name, string>> = {
  auto: 'words, in indexes also names with signs (C++, .NET, v1.2.3, 1,234.50, GPT-4o, getUserById); in scripts without spaces, 2-grams (Chinese, Japanese, Korean) or 3-grams (Thai, Lao, Khmer, Burmese)',
  words: 'runs of letters and digits, with the marks of their script',
  segmenter: "words by Intl.Segmenter; they depend on Node's ICU version",
  ngrams:
    'every run of letters and digits as overlapping runs of `n` characters, without stop words and stems',
  whitespace: 'text between white space, with its punctuation (seed document 003)',
}

export const tokenizers = createRegistry<Definition>(
  'tokenizer',
  TOKENIZERS.map((name): Definition => {
    if (name !== 'ngrams') return { name, summary: SUMMARIES[name], params: none }
    const n = z.int().min(1).max(8).default(2).describe('characters of an n-gram, each with its marks')
    return { name, summary: SUMMARIES[name], params: z.strictObject({ n }), only: 'n' }
  }),
)

const params = z.strictObject({
  stemmer: z.literal(false).optional().describe('`false`: words are not stemmed'),
  stopwords: z.literal(false).optional().describe('`false`: stop words are kept'),
})

/** `auto`, `none`, and every language with a Snowball stemmer, also by ISO 639 code. */
const definitions: readonly Definition[] = [
  {
    name: 'auto',
    summary: "each script's language, recognised by its stop words; a stemmer if there is one",
    params,
  },
  { name: 'none', summary: 'no stop words, no stems', params: none },
  ...Object.entries(LANGUAGES)
    .filter(([, { stemmer }]) => stemmer)
    .map(([name, { code, list }]) => ({
      name,
      aliases: [code],
      summary: list === undefined ? 'a Snowball stemmer' : 'stop words and a Snowball stemmer',
      params,
    })),
]

export const languages: Registry<Definition> = {
  ...createRegistry<Definition>('language', definitions),
  why(name) {
    const other = Object.entries(LANGUAGES).find(([long, { code }]) => long === name || code === name)
    if (!other) return undefined
    const [long, { list }] = other
    const words = list === undefined ? 'neither stop words nor stems' : 'its stop words without stems'
    return `Snowball has no stemmer for ${long}; \`auto\` falls back to ${words} there, \`none\` is without both`
  },
}
