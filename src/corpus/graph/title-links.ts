import { join } from 'node:path'
import { type Artifact, defineArtifact } from '../../store/artifact.ts'
import { chunkColumns } from '../corpus.ts'
import type { Recipe } from '../recipe.ts'
import { buildCsr, readCsr, withSelfEdges, writeCsr } from './csr.ts'
import type { TitleGraph } from './graph.ts'
import { createWalk } from './pagerank.ts'
import { findTitles, indexTitles, type Titles } from './titles.ts'

const FILE = 'links.safetensors'

/** Title PPR's graph, joined by mentions of titles. Needs no line of `prepare`. */
export function titleLinks(recipe: Recipe): Artifact<TitleGraph> {
  return defineArtifact({
    name: 'title_links',
    version: 4,
    params: null,
    inputs: { chunks: chunkColumns(recipe, 'title', 'text') },
    async build(folder, inputs) {
      const chunks = await inputs.chunks()
      const titles = indexTitles(chunks.map(({ title }) => title))
      const texts = chunks.map(({ text }) => text)
      const { csr, rarity } = linkByTitles(texts, titles)
      writeCsr(join(folder, FILE), csr, { rarity: Float64Array.from(rarity.values()) })
    },
    async open(folder, inputs) {
      const titles = indexTitles((await inputs.chunks()).map(({ title }) => title))
      const { csr, arrays } = readCsr<{ rarity: Float64Array }>(join(folder, FILE))
      const rarity = new Map([...titles.rows.keys()].map((key, index) => [key, arrays.rarity[index]]))
      return { csr, walk: createWalk(withSelfEdges(csr)), titles, rarity }
    },
  })
}

/**
 * Joins each passage with those whose titles it mentions; the weight is the highest rarity of the mentions, 1 /
 * (passages that mention the title * passages that carry it).
 */
export function linkByTitles(texts: readonly string[], titles: Titles): Pick<TitleGraph, 'csr' | 'rarity'> {
  const mentions = texts.map((text) => new Set(findTitles(text, titles).map(({ key }) => key)))
  const rarity = new Map([...titles.rows.keys()].map((key) => [key, 0]))
  const count = (key: string) => rarity.get(key) ?? 0
  for (const keys of mentions) for (const key of keys) rarity.set(key, count(key) + 1)
  for (const [key, rows] of titles.rows) rarity.set(key, 1 / (Math.max(1, count(key)) * rows.length))
  const weights = new Map<number, number>()
  mentions.forEach((keys, row) => {
    for (const key of keys)
      for (const other of titles.rows.get(key) ?? []) {
        const pair = Math.min(row, other) * texts.length + Math.max(row, other)
        if (other !== row) weights.set(pair, Math.max(weights.get(pair) ?? 0, count(key)))
      }
  })
  const pairs = [...weights.keys()]
  const { csr } = buildCsr(texts.length, {
    sources: pairs.map((pair) => Math.floor(pair / texts.length)),
    targets: pairs.map((pair) => pair % texts.length),
    weights: [...weights.values()],
  })
  return { csr, rarity }
}
