import { join } from 'node:path'
import type { TitleGraph } from '../graph/graph.ts'
import { createWalk } from '../graph/pagerank/walk.ts'
import { linkByTitles } from '../graph/title-links.ts'
import { indexTitles } from '../graph/titles.ts'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import { readCsr, writeCsr } from './csr-file.ts'
import type { Recipe } from './recipe.ts'
import { textUnits } from './text-units.ts'

const FILE = 'links.safetensors'

/** Title PPR's graph: passages that mention another passage's title. Needs no line of `prepare`. */
export function titleLinks(recipe: Recipe): Artifact<TitleGraph> {
  return defineArtifact({
    name: 'title_links',
    version: 1,
    params: null,
    inputs: { chunks: textUnits(recipe) },
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
