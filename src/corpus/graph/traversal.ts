import { type Artifact, derived } from '../../store/artifact.ts'
import { textsIn } from '../../text/json.ts'
import type { TermCounts } from '../../text/term-counts.ts'
import { type Analyzer, createAnalyzer, createTokenizer } from '../../text/tokenize.ts'
import type { Chunk } from '../../types.ts'
import { indexedTexts } from '../chunks/units.ts'
import { chunkColumns, chunkTexts } from '../corpus.ts'
import { storedCounts, termCounts } from '../lexical/term-counts.ts'
import { textProfile } from '../lexical/text-profile.ts'
import type { Recipe } from '../recipe.ts'
import { membersOf } from './csr.ts'
import { graph } from './extraction.ts'
import { indexNames, type Titles } from './titles.ts'

export const ANCHORS = ['title', 'entity', 'tag', 'trait'] as const
export type Anchor = (typeof ANCHORS)[number]

/**
 * Chunks by token, by pair of tokens, and by anchors: heading, title, entities, and `tag`, `tags`, `trait`, `traits`
 * in metadata.
 */
export interface TraversalIndex {
  readonly chunks: number
  /** Runs of tokens between stop words and punctuation. */
  runs(text: string): string[][]
  /** Rows with a token, or with two neighbouring tokens, ascending. */
  holding(token: string): Uint32Array
  holdingPair(first: string, second: string): Uint32Array
  readonly anchors: Readonly<Record<Anchor, Titles>>
}

export function traversalIndex(recipe: Recipe): Artifact<TraversalIndex> {
  const texts = searchedTexts(recipe)
  const inputs = {
    chunks: chunkColumns(recipe, 'title', 'section', 'metadata'),
    profile: textProfile(recipe),
    tokens: termCounts(recipe, texts),
    pairs: pairCounts(recipe),
    ...(recipe.graph && { graph: graph(recipe) }),
  }
  return derived('traversal_index', inputs, ({ chunks, profile, tokens, pairs, graph }) => {
    const none: readonly string[] = []
    const { names = none, entitiesOfChunk } = { names: graph?.entities.names, ...graph }
    const entitiesOf = (row: number) =>
      entitiesOfChunk ? Array.from(membersOf(entitiesOfChunk, row), (entity) => names[entity]) : []
    const holding = lookUp(pairs)
    return {
      chunks: chunks.length,
      runs: runsBy(createTokenizer(profile), createAnalyzer(profile)),
      holding: lookUp(tokens),
      holdingPair: (first, second) => holding(`${first} ${second}`),
      anchors: {
        title: indexNames(chunks.map(({ title, section }) => [title, section.at(-1) ?? ''])),
        entity: indexNames(chunks.map((_, row) => entitiesOf(row))),
        tag: indexNames(chunks.map(({ metadata }) => valuesOf(metadata, 'tag'))),
        trait: indexNames(chunks.map(({ metadata }) => valuesOf(metadata, 'trait'))),
      },
    }
  })
}

function searchedTexts(recipe: Recipe): Artifact<readonly string[]> {
  return recipe.index ? chunkTexts(recipe) : indexedTexts(recipe)
}

function pairCounts(recipe: Recipe): Artifact<TermCounts> {
  const stored = { name: 'pair_counts', version: 3, params: null, file: 'pairs.safetensors' }
  return storedCounts(recipe, searchedTexts(recipe), stored, (words) => [(text) => pairsOf(words(text))])
}

export function pairsOf(tokens: readonly string[]): string[] {
  return tokens.slice(1).map((token, i) => `${tokens[i]} ${token}`)
}

export function lookUp({ terms, offsets, rows }: TermCounts): (term: string) => Uint32Array {
  const numbers = new Map(terms.map((term, number) => [term, number]))
  return (term) => {
    const number = numbers.get(term)
    return number === undefined ? rows.subarray(0, 0) : rows.subarray(offsets[number], offsets[number + 1])
  }
}

const BREAK = /[.,;:!?()[\]{}"“”«»|]+/u

function runsBy(tokens: (text: string) => string[], analyze: Analyzer): TraversalIndex['runs'] {
  return (text) => {
    const runs: string[][] = []
    for (const piece of text.split(BREAK)) {
      let run: string[] = []
      for (const token of tokens(piece)) {
        const terms = analyze(token)
        run.push(...terms)
        if (terms.length > 0) continue
        if (run.length > 0) runs.push(run)
        run = []
      }
      if (run.length > 0) runs.push(run)
    }
    return runs
  }
}

function valuesOf(metadata: Chunk['metadata'], field: 'tag' | 'trait'): string[] {
  return [field, `${field}s`].flatMap((name) =>
    textsIn(Object.hasOwn(metadata, name) ? metadata[name] : null),
  )
}
