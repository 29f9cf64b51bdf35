import { join } from 'node:path'
import { buildCsr, type Csr, readCsr, writeCsr } from '../graph/csr.ts'
import type { TitleGraph } from '../graph/graph.ts'
import { createWalk } from '../graph/pagerank.ts'
import { findTitles, indexTitles, type Titles } from '../graph/titles.ts'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import { chunkColumns } from './corpus.ts'
import type { Recipe } from './recipe.ts'

const FILE = 'links.safetensors'

/** Title PPR's graph: passages that mention another passage's title. Needs no line of `prepare`. */
export function titleLinks(recipe: Recipe): Artifact<TitleGraph> {
  return defineArtifact({
    name: 'title_links',
    version: 1,
    params: null,
    inputs: { chunks: chunkColumns(recipe, 'title', 'text') },
    async build(folder, inputs) {
      const chunks = await inputs.chunks()
      const titles = indexTitles(chunks.map(({ title }) => title))
      const texts = chunks.map(({ text }) => text)
      writeCsr(join(folder, FILE), linkByTitles(texts, titles))
    },
    async open(folder, inputs) {
      const titles = indexTitles((await inputs.chunks()).map(({ title }) => title))
      return { walk: createWalk(readCsr(join(folder, FILE)).csr), titles }
    },
  })
}

/**
 * Title PPR's graph: undirected, weight 1, between a passage and each passage whose title occurs in its text. However
 * often and in whichever direction a title is mentioned, the pair is one edge.
 */
export function linkByTitles(texts: readonly string[], titles: Titles): Csr {
  const sources: number[] = []
  const targets: number[] = []
  const pairs = new Set<number>()
  texts.forEach((text, row) => {
    for (const { key } of findTitles(text, titles))
      for (const other of titles.rows.get(key) ?? []) {
        const pair = Math.min(row, other) * texts.length + Math.max(row, other)
        if (other === row || pairs.has(pair)) continue
        pairs.add(pair)
        sources.push(row)
        targets.push(other)
      }
  })
  return buildCsr(texts.length, { sources, targets }).csr
}
