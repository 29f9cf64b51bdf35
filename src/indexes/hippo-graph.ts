import { join } from 'node:path'
import type { HippoGraph, PhraseGraph } from '../graph/graph.ts'
import { passageCounts, phraseGraph, phrasePassageGraph } from '../graph/hippo.ts'
import { power } from '../graph/pagerank/power.ts'
import { createWalk } from '../graph/pagerank/walk.ts'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import { readCsr, writeCsr } from './csr-file.ts'
import { factsTable } from './facts.ts'
import { graph } from './graph.ts'
import type { Recipe } from './recipe.ts'
import { synonymy } from './synonyms.ts'

const FILE = 'graph.safetensors'
/** HippoRAG's own damping; from here a walk with another one starts too, some passes longer. */
const DAMPING = 0.5

/** HippoRAG 2's graph of phrases and passages, with synonym edges. */
export function hippoGraph(recipe: Recipe): Artifact<HippoGraph> {
  return defineArtifact({
    name: 'hippo_graph',
    version: 1,
    params: null,
    inputs: { graph: graph(recipe), facts: factsTable(recipe), synonyms: synonymy(recipe) },
    async build(folder, inputs) {
      const { entities, chunksOfEntity, chunks } = await inputs.graph()
      const phrases = entities.size
      const csr = phrasePassageGraph(
        phrases,
        chunks,
        await inputs.facts(),
        await inputs.synonyms(),
        chunksOfEntity,
      )
      const reset = new Float64Array(phrases + chunks).fill(1, phrases)
      const start = chunks === 0 ? reset : power(createWalk(csr), reset, DAMPING)
      writeCsr(join(folder, FILE), csr, { start, passagesPerPhrase: passageCounts(chunksOfEntity) })
    },
    open(folder) {
      const { csr, arrays } = readCsr(join(folder, FILE))
      const passagesPerPhrase = arrays.passagesPerPhrase as Uint32Array
      const phrases = passagesPerPhrase.length
      return {
        phrases,
        passages: csr.nodes - phrases,
        walk: createWalk(csr),
        passagesPerPhrase,
        start: arrays.start as Float64Array,
      }
    },
  })
}

/** HippoRAG 1's graph of phrases, with synonym edges. */
export function hippoGraphV1(recipe: Recipe): Artifact<PhraseGraph> {
  return defineArtifact({
    name: 'phrase_graph',
    version: 1,
    params: null,
    inputs: { graph: graph(recipe), facts: factsTable(recipe), synonyms: synonymy(recipe) },
    async build(folder, inputs) {
      const { entities, chunksOfEntity } = await inputs.graph()
      const csr = phraseGraph(entities.size, await inputs.facts(), await inputs.synonyms())
      writeCsr(join(folder, FILE), csr, { passagesPerPhrase: passageCounts(chunksOfEntity) })
    },
    open(folder) {
      const { csr, arrays } = readCsr(join(folder, FILE))
      return { walk: createWalk(csr), passagesPerPhrase: arrays.passagesPerPhrase as Uint32Array }
    },
  })
}
