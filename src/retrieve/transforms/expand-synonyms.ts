import { z } from 'zod'
import { oncePer } from '../../maps.ts'
import { phraseTest } from '../../text/phrases.ts'
import type { Query } from '../../types.ts'
import { defineStep } from '../step.ts'
import { dictionaryFiles, dictionaryParams, readDictionary } from '../steps/dictionary.ts'
import { defineQueryTransform } from './index.ts'

type Params = { readonly terms: Readonly<Record<string, readonly string[]>> }

const appendTerms = defineStep<Params, [Query], Query>({
  name: 'expand-synonyms',
  yields: 'query',
  run([query], { params: { terms } }) {
    const text = query.lexical ?? query.text
    const additions = testsOf(terms)
      .filter(({ isInformal, isOfficial }) => isInformal(text) && !isOfficial(text))
      .map(({ official }) => official)
    return additions.length === 0 ? query : { ...query, lexical: [text, ...additions].join(' ') }
  },
})

const testsOf = oncePer((terms: Params['terms']) =>
  Object.entries(terms).map(([official, informal]) => ({
    official,
    isInformal: phraseTest(informal),
    isOfficial: phraseTest([official]),
  })),
)

const terms = z.record(z.string().min(1), z.array(z.string().min(1)).min(1))
const WHAT = 'a dictionary of synonyms'

/**
 * `Can I heal?` is searched as `Can I heal? regain wounds`. Whole words, in any case; a term that the query has is not
 * repeated.
 */
export default defineQueryTransform({
  name: 'expand-synonyms',
  summary: 'appends official terms for informal ones, for lexical search only',
  source: 'seed document 002',
  params: dictionaryParams('terms', terms, 'official term -> informal terms'),
  files: dictionaryFiles(terms, WHAT),
  make: ({ path, terms: inline = {} }) => ({
    rewrite: (query) =>
      appendTerms([query], { terms: path === undefined ? inline : readDictionary(path, terms, WHAT) }),
  }),
})
