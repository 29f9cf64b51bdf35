import { z } from 'zod'
import { oncePer } from '../../text/once.ts'
import { phraseTest } from '../../text/phrases.ts'
import type { Query } from '../../types.ts'
import { defineStep } from '../step.ts'
import { dictionaryFiles, dictionaryParams, readDictionary } from '../steps/dictionary.ts'
import { defineQueryTransform } from './define.ts'

type Params = { readonly terms: Readonly<Record<string, readonly string[]>> }

const appendTerms = defineStep<Params, [Query], Record<never, never>, Query>({
  name: 'expand-synonyms',
  version: 1,
  yields: 'query',
  run([query], { params: { terms } }) {
    const text = query.lexical ?? query.text
    const found = testsOf(terms)
      .filter(({ isInformal, isOfficial }) => isInformal(text) && !isOfficial(text))
      .map(({ official }) => official)
    return found.length === 0 ? query : { ...query, lexical: [text, ...found].join(' ') }
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
 * Appends official terms for informal ones, for lexical search only: `Can I heal?` is searched as `Can I heal? regain
 * wounds`. Whole words, in any case; in the order of the dictionary; a term that the query has already is not repeated.
 */
export const expandSynonyms = defineQueryTransform({
  kind: 'query',
  name: 'expand-synonyms',
  summary: 'appends official terms for informal ones, for lexical search only',
  source: 'seed document 002',
  params: dictionaryParams('terms', terms, 'official term -> informal terms'),
  files: dictionaryFiles(terms, WHAT),
  apply({ query, params }) {
    return appendTerms([query], {
      terms: params.path === undefined ? (params.terms ?? {}) : readDictionary(params.path, terms, WHAT),
    })
  },
})
