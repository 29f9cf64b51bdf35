import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { resolve } from '../../registry.ts'
import { readArrays, writeArrays } from '../../store/arrays.ts'
import { type Artifact, defineArtifact, derived, viewOf } from '../../store/artifact.ts'
import { countTerms, type TermCounts } from '../../text/term-counts.ts'
import { type Analyzer, createAnalyzer, createNameAnalyzer, type TextProfile } from '../../text/tokenize.ts'
import { indexedTexts, units } from '../chunks/units.ts'
import type { Recipe } from '../recipe.ts'
import { textProfile, tokenizers } from './text-profile.ts'

export function termCounts(
  recipe: Recipe,
  texts: Artifact<readonly string[]> = indexedTexts(recipe),
): Artifact<TermCounts> {
  return counted(recipe, texts, false)
}

/**
 * Counts what a lexical index searches: words and, with the tokenizer `auto`, names with signs, which make no text
 * longer.
 */
export function indexCounts(
  recipe: Recipe,
  texts: Artifact<readonly string[]> = indexedTexts(recipe),
): Artifact<TermCounts> {
  return counted(recipe, texts, findsNames(recipe))
}

function findsNames({ tokenizer }: Recipe): boolean {
  return tokenizer === undefined || resolve(tokenizers, tokenizer).definition.name === 'auto'
}

function counted(recipe: Recipe, texts: Artifact<readonly string[]>, names: boolean): Artifact<TermCounts> {
  const stored = { name: 'term_counts', version: 4, params: { names }, file: 'counts.safetensors' }
  return storedCounts(recipe, texts, stored, (words, profile) => [
    words,
    names ? createNameAnalyzer(profile, words) : undefined,
  ])
}

/** Counts of the tokens of texts, by an analyzer and by one of tokens that make no text longer. */
export function storedCounts(
  recipe: Recipe,
  texts: Artifact<readonly string[]>,
  { file, ...stored }: Pick<Artifact<TermCounts>, 'name' | 'version' | 'params'> & { readonly file: string },
  analyzersOf: (
    words: Analyzer,
    profile: TextProfile,
  ) => readonly [tokens: Analyzer, beside?: Analyzer | undefined],
): Artifact<TermCounts> {
  return defineArtifact({
    ...stored,
    inputs: { texts, words: analyzer(recipe), profile: textProfile(recipe) },
    async build(folder, inputs) {
      const [analyze, beside] = analyzersOf(await inputs.words(), await inputs.profile())
      const { terms, ...arrays } = countTerms(await inputs.texts(), analyze, beside)
      writeArrays(join(folder, file), arrays)
      writeTerms(folder, terms)
    },
    open(folder): TermCounts {
      const { arrays } = readArrays<Omit<TermCounts, 'terms'>>(join(folder, file))
      return { terms: readTerms(folder), ...arrays }
    },
  })
}

/** Terms of a `termCounts` artifact; not kept in memory. */
export function termsOf(counts: Artifact<unknown>): Artifact<readonly string[]> {
  return { ...viewOf(counts, 'terms', readTerms), copied: true }
}

/** Term numbers of each text, ascending: those of text r are at `offsets[r]` up to `offsets[r + 1]`. */
export interface TermVectors {
  readonly offsets: Uint32Array
  readonly terms: Uint32Array
  readonly counts: Uint32Array
}

/** Terms of each chunk; a term occurs once for each unit that contains it. */
export function termVectors(recipe: Recipe): Artifact<TermVectors> {
  const parts = units(recipe)
  const inputs = { counts: indexCounts(recipe), ...(parts && { units: parts }) }
  return derived('term_vectors', inputs, ({ counts, units }) => {
    if (!units) return turned(counts)
    const { parents } = units
    const lengths = new Uint32Array((parents.at(-1) ?? -1) + 1)
    return turned({ ...counts, lengths, rows: counts.rows.map((unit) => parents[unit]) })
  })
}

export function turned({ offsets, rows, counts, lengths }: TermCounts): TermVectors {
  const begins = new Uint32Array(lengths.length + 1)
  for (const row of rows) begins[row + 1]++
  for (let row = 0; row < lengths.length; row++) begins[row + 1] += begins[row]
  const ends = begins.slice(0, lengths.length)
  const vectors = {
    offsets: begins,
    terms: new Uint32Array(rows.length),
    counts: new Uint32Array(rows.length),
  }
  for (let term = 0; term + 1 < offsets.length; term++)
    for (let at = offsets[term]; at < offsets[term + 1]; at++) {
      const to = ends[rows[at]]++
      vectors.terms[to] = term
      vectors.counts[to] = counts[at]
    }
  return vectors
}

/** One analyzer for all artifacts of a process: a token is stemmed once. */
export function analyzer(recipe: Recipe): Artifact<Analyzer> {
  return derived('analyzer', { profile: textProfile(recipe) }, ({ profile }) => createAnalyzer(profile))
}

export function indexAnalyzer(recipe: Recipe): Artifact<Analyzer> {
  if (!findsNames(recipe)) return analyzer(recipe)
  const inputs = { words: analyzer(recipe), profile: textProfile(recipe) }
  return derived('index_analyzer', inputs, ({ words, profile }) => {
    const names = createNameAnalyzer(profile, words)
    return (text: string) => [...words(text), ...names(text)]
  })
}

export function writeTerms(folder: string, terms: readonly string[]): void {
  writeFileSync(join(folder, 'terms.json'), JSON.stringify(terms))
}

export function readTerms(folder: string): string[] {
  return JSON.parse(readFileSync(join(folder, 'terms.json'), 'utf8'))
}
