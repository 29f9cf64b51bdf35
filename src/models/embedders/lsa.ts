import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readArrays, writeArrays } from '../../store/arrays.ts'
import { defineArtifact } from '../../store/artifact.ts'
import { createFolder, fitLsa, type LsaModel } from '../lsa/model.ts'
import { defineBuiltInEmbedder } from './index.ts'

export default defineBuiltInEmbedder({
  name: 'lsa',
  summary: "latent semantic analysis fitted on the corpus's own words; deterministic, no download",
  params: z.strictObject({
    dims: z
      .int()
      .min(1)
      .max(2000)
      .default(400)
      .describe('maximum dimensions; from 144 chunks on, at most a third of the chunks'),
    seed: z.int().min(0).max(0xffffffff).default(0).describe("the range finder's"),
  }),
  make: (params) => ({
    batch: 8192,
    artifact: (corpus) =>
      defineArtifact({
        name: 'lsa',
        version: 2,
        params,
        inputs: corpus.terms(),
        async build(folder, inputs, { progress }) {
          const { terms, weights, basis, dims } = fitLsa(await inputs.counts(), params, progress)
          writeArrays(join(folder, 'model.safetensors'), { weights, basis }, { dims: String(dims) })
          writeFileSync(join(folder, 'terms.json'), JSON.stringify(terms))
        },
        async open(folder, inputs) {
          const { arrays, metadata } = readArrays<Pick<LsaModel, 'weights' | 'basis'>>(
            join(folder, 'model.safetensors'),
          )
          const terms = JSON.parse(readFileSync(join(folder, 'terms.json'), 'utf8'))
          const model: LsaModel = { ...arrays, terms, dims: Number(metadata.dims) }
          const analyze = await inputs.analyze()
          const fold = createFolder(model)
          return {
            model: `lsa (${model.dims} dims)`,
            dims: model.dims,
            async embed(texts) {
              const vectors = new Float32Array(texts.length * model.dims)
              texts.forEach((text, index) => {
                vectors.set(fold(analyze(text)), index * model.dims)
              })
              return vectors
            },
          }
        },
      }),
  }),
})
