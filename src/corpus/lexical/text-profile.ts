import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { resolve } from '../../registry.ts'
import { type Artifact, defineArtifact } from '../../store/artifact.ts'
import { LANGUAGES } from '../../text/languages.ts'
import { type Recognised, recognise } from '../../text/recognise.ts'
import type { Script } from '../../text/scripts.ts'
import type { TextProfile } from '../../text/tokenize.ts'
import { chunkTexts } from '../corpus.ts'
import type { Recipe } from '../recipe.ts'
import { languages } from './languages.ts'
import { tokenizers } from './tokenizers.ts'

/** Tokenizer and languages of a corpus, with the counts that decided them. */
export interface CorpusProfile extends TextProfile {
  readonly seen: Recognised
}

const FILE = 'profile.json'
const AUTO = { name: 'auto', params: {} }

/** Tokenizer and languages of a recipe, shared by BM25, LSA, extractors and keywords. */
export function textProfile(recipe: Recipe): Artifact<CorpusProfile> {
  const tokenizer = resolve(tokenizers, recipe.tokenizer ?? AUTO)
  const language = resolve(languages, recipe.language ?? AUTO).definition.name
  const named = { name: tokenizer.definition.name, ...tokenizer.params } as TextProfile['tokenizer']
  return defineArtifact({
    name: 'text_profile',
    version: 2,
    params: { tokenizer: named, language },
    inputs: { texts: chunkTexts(recipe) },
    async build(folder, inputs) {
      const profile = profileOf(recognise(await inputs.texts()), named, language)
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
