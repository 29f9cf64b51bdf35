import { z } from 'zod'
import { oncePer } from '../../maps.ts'
import { phraseKey, phrasePattern } from '../../text/phrases.ts'
import type { Query } from '../../types.ts'
import { defineStep } from '../step.ts'
import { dictionaryFiles, dictionaryParams, readDictionary } from '../steps/dictionary.ts'
import { defineQueryTransform } from './index.ts'

type Params = { readonly names: Readonly<Record<string, string>> }

const replaceAliases = defineStep<Params, [Query], Query>({
  name: 'aliases',
  yields: 'query',
  run([query], { params: { names } }) {
    const text = replace(query.text, names)
    return query.lexical === undefined
      ? { ...query, text }
      : { ...query, text, lexical: replace(query.lexical, names) }
  },
})

/** An alias with a capital letter is found as it is written ("IT"), others in any case. */
const aliasesOf = oncePer((names: Params['names']) => {
  const aliases = Object.keys(names)
  const written = aliases.filter((alias) => alias !== alias.toLowerCase())
  const small = aliases.filter((alias) => alias === alias.toLowerCase())
  const canonical = new Map(Object.entries(names).map(([alias, name]) => [phraseKey(alias), name]))
  return {
    patterns: [phrasePattern(written, false), phrasePattern(small, true)],
    named: (alias: string) => canonical.get(phraseKey(alias)) ?? alias,
  }
})

function replace(text: string, names: Params['names']): string {
  const { patterns, named } = aliasesOf(names)
  return patterns.reduce((replaced, pattern) => replaced.replace(pattern, named), text)
}

const names = z.record(z.string().min(1), z.string().min(1))
const WHAT = 'a dictionary of aliases'

export default defineQueryTransform({
  name: 'aliases',
  summary: 'replaces aliases in the query by canonical names',
  source: 'seed document 000',
  params: dictionaryParams('names', names, 'alias -> canonical name'),
  files: dictionaryFiles(names, WHAT),
  make: ({ path, names: inline = {} }) => ({
    rewrite: (query) =>
      replaceAliases([query], { names: path === undefined ? inline : readDictionary(path, names, WHAT) }),
  }),
})
