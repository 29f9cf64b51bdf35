import { z } from 'zod'
import { defineArtifact } from '../../store/artifact.ts'
import { defineSparseEncoder, type SparseVector } from '../sparse-encoder.ts'
import { localKey, localName, localOptions, localShape, pinLocal } from '../transformers/local-params.ts'
import { type OpenModel, openModel, openReader } from '../transformers/open.ts'
import { quoted } from '../vector-problem.ts'

/**
 * SPLADE (Formal et al., SIGIR 2021; max pooling: SPLADE v2): a masked language model gives for every token the words
 * of its vocabulary might stand there, and a text gets each word by its surest token:
 *
 *     weight(word) = max over tokens i of log(1 + max(0, logit[i, word]))
 *
 * over all tokens, those around the text too. Words of weight 0 are left out.
 */
export const splade = defineSparseEncoder({
  name: 'splade',
  summary: 'a SPLADE model in ONNX from a folder or the Hugging Face hub, on this machine',
  params: z.strictObject(localShape),
  pin: pinLocal,
  artifact(given) {
    const pinned = given.sha256 === undefined ? pinLocal(given) : given
    return defineArtifact({
      name: 'splade',
      version: 1,
      params: localKey(pinned),
      inputs: {},
      reader: () => openReader(localOptions(pinned), localName(pinned)),
      async open() {
        pinLocal(pinned)
        const model = await openModel(localOptions(pinned), 'AutoModelForMaskedLM')
        const vocabulary = model.vocabulary()
        return {
          async encode(texts, progress) {
            const vectors: SparseVector[] = []
            for (const text of texts) {
              vectors.push(await weigh(model, vocabulary, text))
              progress?.(vectors.length, texts.length)
            }
            return vectors
          },
        }
      },
    })
  },
})

async function weigh({ encode, run, tried, fail }: OpenModel, vocabulary: readonly string[], text: string) {
  const { logits } = await tried(() => run(encode(text)))
  const words = logits?.dims.at(-1) ?? 0
  if (words !== vocabulary.length)
    throw fail(`gives ${words} numbers a token where its vocabulary has ${vocabulary.length} words`)
  const numbers = logits.data as Float32Array
  const highest = new Float64Array(words)
  for (let i = 0; i < numbers.length; i++) {
    if (Number.isNaN(numbers[i])) throw fail(`gives a number that is none to the text ${quoted(text)}`)
    if (numbers[i] > highest[i % words]) highest[i % words] = numbers[i]
  }
  const terms: string[] = []
  const weights: number[] = []
  highest.forEach((logit, word) => {
    if (logit <= 0) return
    terms.push(vocabulary[word])
    weights.push(Math.log1p(logit))
  })
  return { terms, weights }
}
