import { type Artifact, defineArtifact, derived } from '../../store/artifact.ts'
import { bm25ByParent } from '../chunks/by-parent.ts'
import { units } from '../chunks/units.ts'
import type { Recipe } from '../recipe.ts'
import { type Bm25Index, createBm25, createLexicon, type Lexicon } from './bm25-search.ts'
import { type Fields, fieldCounts } from './fields.ts'
import { indexAnalyzer, indexCounts } from './term-counts.ts'

export type Bm25Params = { k1: number; b: number; idf: 'lucene' | 'okapi'; fields?: Fields | undefined }

/** Opens BM25 over postings that all params share: a grid over k1 and b keeps the corpus in memory once. */
export function bm25Index(recipe: Recipe, { fields, k1, b, idf }: Bm25Params): Artifact<Bm25Index> {
  const found = units(recipe)
  // Lengths of fields are applied before fields are summed (fields.ts).
  const weighting = { k1, b: fields ? 0 : b, idf }
  const inputs = {
    lexicon: fields ? fieldLexicon(recipe, fields, b) : lexicon(recipe),
    ...(found && { units: found }),
  }
  return defineArtifact({
    name: 'bm25',
    version: 2,
    params: weighting,
    inputs,
    async open(_folder, inputs) {
      const index = createBm25(await inputs.lexicon(), weighting)
      return inputs.units ? bm25ByParent(index, (await inputs.units()).parents) : index
    },
  })
}

export function lexicon(recipe: Recipe): Artifact<Lexicon> {
  const inputs = { counts: indexCounts(recipe), analyze: indexAnalyzer(recipe) }
  return derived('lexicon', inputs, ({ counts, analyze }) => createLexicon(counts, analyze))
}

function fieldLexicon(recipe: Recipe, fields: Fields, b: number): Artifact<Lexicon> {
  const inputs = { counts: fieldCounts(recipe, fields, b), analyze: indexAnalyzer(recipe) }
  return derived('field_lexicon', inputs, ({ counts: { all, of }, analyze }) =>
    createLexicon(all, analyze, of),
  )
}
