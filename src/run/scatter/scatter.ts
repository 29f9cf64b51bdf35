import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../errors.ts'
import type { CompiledTrial } from '../../plan/compile.ts'
import type { OpenExperiment } from '../../plan/open.ts'
import { chunkSpans } from '../../prepare/corpus.ts'
import { embedder, embedTexts } from '../../prepare/embeddings.ts'
import { holdersOf, type ImpactParams } from '../../prepare/impacts.ts'
import type { Recipe } from '../../prepare/recipe.ts'
import { analyzer, termCounts } from '../../prepare/term-counts.ts'
import { indexedTexts } from '../../prepare/units.ts'
import { writeArrays } from '../../store/arrays.ts'
import { canonical } from '../../store/hash.ts'
import { writeWhole } from '../../store/write.ts'
import type { TermCounts } from '../../text/term-counts.ts'
import type { AnalyzerParams } from '../../text/tokenize.ts'
import { VERSION } from '../../version.ts'
import {
  PLAN,
  partFolder,
  type Scattered,
  type ScatteredList,
  type ScatteredTerms,
  termsFile,
} from './layout.ts'

/** Cuts a prepared corpus into `parts`, with the queries of its dataset. Throws a UserError with every trial that cannot be cut. */
export async function scatter(open: OpenExperiment, folder: string, parts: number): Promise<Scattered> {
  const { trials, recipes, store, dataset, experiment } = open
  const analyses: AnalyzerParams[] = []
  const lists = listsOf(trials, recipes, experiment.depth, analyses)
  const [recipe] = recipes
  const chunks = await store.open(chunkSpans(recipe))
  if (parts > chunks.length)
    throw new UserError(`--parts is at most ${chunks.length}, the number of chunks, not ${parts}`)
  const bounds = Array.from({ length: parts + 1 }, (_, part) => Math.floor((part * chunks.length) / parts))
  const queries = dataset.queries.map(({ text }) => text)
  const pieces = bounds.slice(0, -1).map((begin, part) => ({ part, begin, end: bounds[part + 1] }))
  for (const { part, begin, end } of pieces) {
    mkdirSync(partFolder(folder, part), { recursive: true })
    const ids = chunks.slice(begin, end).map(({ id }) => id)
    writeWhole(join(partFolder(folder, part), 'chunks.json'), JSON.stringify({ begin, ids }))
  }
  let dims = 0
  if (lists.some(({ kind }) => kind === 'dense')) {
    const { embed, dims: own } = await store.open(embedder(recipe, recipe.embedder, 'query'))
    dims = own
    writeArrays(join(folder, 'queries.safetensors'), { vectors: await embed(queries) })
    const { vectors } = await store.open(embedTexts(recipe, 'chunks', indexedTexts(recipe)))
    for (const { part, begin, end } of pieces) {
      const bytes = new Uint8Array(4 * dims * (end - begin))
      for (let row = begin; row < end; row++) bytes.set(vectors[row], 4 * dims * (row - begin))
      writeArrays(join(partFolder(folder, part), 'vectors.safetensors'), {
        vectors: new Float32Array(bytes.buffer),
      })
    }
  }
  for (const [at, analysis] of analyses.entries()) {
    const counts = await store.open(termCounts(recipe, analysis))
    const analyze = await store.open(analyzer(recipe, analysis))
    const numbers = new Map(counts.terms.map((term, number) => [term, number]))
    const terms: ScatteredTerms = {
      meanLength: counts.lengths.reduce((sum, length) => sum + length, 0) / counts.lengths.length,
      holders: [...holdersOf(counts.offsets)],
      queries: queries.map((text) =>
        analyze(text).flatMap((token) => {
          const term = numbers.get(token)
          return term === undefined ? [] : [term]
        }),
      ),
    }
    writeWhole(termsFile(folder, at), JSON.stringify(terms))
    for (const { part, begin, end } of pieces)
      writeArrays(join(partFolder(folder, part), `terms-${at}.safetensors`), {
        ...postingsOf(counts, begin, end),
      })
  }
  const scattered: Scattered = {
    ...{ version: VERSION, parts, chunks: chunks.length, dims, analyses, lists },
    queries: dataset.queries.map(({ id }) => id),
  }
  // Last: a folder with a plan is whole.
  writeWhole(join(folder, PLAN), `${JSON.stringify(scattered)}\n`)
  return scattered
}

/** What the trials search; `analyses` is filled with how texts become terms. */
function listsOf(
  trials: readonly CompiledTrial[],
  recipes: readonly Recipe[],
  depth: number,
  analyses: AnalyzerParams[],
): ScatteredList[] {
  if (recipes.length > 1)
    throw new UserError('a corpus is scattered as it is prepared in one way, and `prepare` has several')
  if (recipes[0].index) throw new UserError('chunks are scattered whole; leave out `prepare.index`')
  const wrong = trials.filter(
    ({ strategy, params, before, after, filter }) =>
      !['naive', 'bm25'].includes(strategy) ||
      params.fields !== undefined ||
      before.length + after.length > 0 ||
      filter !== undefined,
  )
  if (wrong.length > 0)
    throw new UserError(
      wrong.map(({ name }) => ({
        message: `\`${name}\` cannot be scattered: only \`naive\` and \`bm25\` can, without transforms, filters and fields (--only names trials); what walks a graph is spread by its queries, with \`executor\``,
      })),
    )
  return trials.map(({ name, strategy, params }): ScatteredList => {
    const own = { trial: name, depth: Math.min(depth, params.pool as number) }
    if (strategy === 'naive') return { ...own, kind: 'dense' }
    const { stemmer, stopwords, k1, b, idf } = params as unknown as AnalyzerParams & ImpactParams
    const analysis = { stemmer, stopwords }
    let place = analyses.findIndex((one) => canonical(one) === canonical(analysis))
    if (place < 0) place = analyses.push(analysis) - 1
    return { ...own, kind: 'lexical', weighting: { k1, b, idf }, analysis: place }
  })
}

/** The postings of rows `begin` up to `end`, counted from 0; every term keeps its number. */
export function postingsOf(
  { offsets, rows, counts, lengths }: Omit<TermCounts, 'terms'>,
  begin: number,
  end: number,
): Omit<TermCounts, 'terms'> {
  const kept = new Uint32Array(offsets.length)
  const [ownRows, ownCounts]: number[][] = [[], []]
  for (let term = 0; term + 1 < offsets.length; term++) {
    for (let at = offsets[term]; at < offsets[term + 1]; at++)
      if (rows[at] >= begin && rows[at] < end) {
        ownRows.push(rows[at] - begin)
        ownCounts.push(counts[at])
      }
    kept[term + 1] = ownRows.length
  }
  return {
    offsets: kept,
    rows: Uint32Array.from(ownRows),
    counts: Uint32Array.from(ownCounts),
    lengths: lengths.slice(begin, end),
  }
}
