import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readArrays, writeArrays } from '../../store/arrays.ts'
import { defineArtifact } from '../../store/artifact.ts'
import { STEMMERS, STOPWORDS } from '../../text/tokenize.ts'
import { defineBuiltInEmbedder } from '../embedder.ts'
import { createFolder, fitLsa, type LsaModel } from '../lsa/model.ts'

/** Latent semantic analysis, fitted on the chunks: knows the corpus's words, not the language. Needs no download. */
export const lsa = defineBuiltInEmbedder({
  name: 'lsa',
  summary: "latent semantic analysis fitted on the corpus's own words; deterministic, no download",
  params: z.strictObject({
    dims: z
      .int()
      .min(1)
      .max(2000)
      .default(400)
      .describe('maximum dimensions; from 144 chunks on, at most a third of the chunks'),
    stemmer: z.enum(STEMMERS).default('language'),
    stopwords: z.enum(STOPWORDS).default('language'),
    seed: z.int().min(0).max(0xffffffff).default(0).describe("the range finder's"),
  }),
  batch: 8192,
  artifact: (params, corpus) =>
    defineArtifact({
      name: 'lsa',
      version: 2,
      params,
      inputs: corpus.terms(params),
      async build(folder, inputs, { progress }) {
        const { terms, weights, basis, dims } = fitLsa(await inputs.counts(), params, progress)
        writeArrays(join(folder, 'model.safetensors'), { weights, basis }, { dims: String(dims) })
        writeFileSync(join(folder, 'terms.json'), JSON.stringify(terms))
      },
      async open(folder, inputs) {
        const { arrays, metadata } = readArrays(join(folder, 'model.safetensors'))
        const terms = JSON.parse(readFileSync(join(folder, 'terms.json'), 'utf8'))
        const model: LsaModel = {
          terms,
          weights: arrays.weights as Float64Array,
          basis: arrays.basis as Float32Array,
          dims: Number(metadata.dims),
        }
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
})
