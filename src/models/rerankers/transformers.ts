import { z } from 'zod'
import { defineArtifact } from '../../store/artifact.ts'
import { quoted } from '../embedder.ts'
import { defineReranker, type Reranker } from '../reranker.ts'
import { localKey, localName, localOptions, localShape, pinLocal } from '../transformers/local-params.ts'
import { type OpenModel, openModel, openReader } from '../transformers/open.ts'

const params = z.strictObject(localShape)

/**
 * A cross-encoder (Nogueira and Cho, 2019): score(q, d) = sigmoid(logit of "q [SEP] d"). One pair a call: int8 models
 * scale per batch, so in a batch a score would depend on its neighbours.
 */
export const transformersReranker = defineReranker({
  name: 'transformers',
  summary: 'a cross-encoder in ONNX from a folder or the Hugging Face hub, on this machine; 0 to 1',
  params,
  pin: pinLocal,
  artifact(params, { texts }) {
    const pinned = params.sha256 === undefined ? pinLocal(params) : params
    return defineArtifact({
      name: 'cross_encoder',
      version: 1,
      params: localKey(pinned),
      inputs: { texts },
      reader: () => openReader(localOptions(pinned), localName(pinned)),
      async open(_folder, inputs): Promise<Reranker> {
        pinLocal(pinned)
        const model = await openModel(localOptions(pinned), 'AutoModelForSequenceClassification')
        const texts = await inputs.texts()
        return {
          async score({ text }, rows) {
            const scores = new Float64Array(rows.length)
            for (const [i, row] of rows.entries()) scores[i] = await scorePair(model, text, texts[row])
            return scores
          },
        }
      },
    })
  },
})

async function scorePair({ encode, run, tried, fail }: OpenModel, query: string, text: string) {
  const { logits } = await tried(() => run(encode(query, text)))
  if (logits?.data.length !== 1)
    throw fail(`gives ${logits?.data.length ?? 'no'} numbers to a pair of texts; a cross-encoder gives one`)
  const [logit] = Array.from(logits.data, Number)
  if (!Number.isFinite(logit)) throw fail(`gives a score that is not finite to the text ${quoted(text)}`)
  return 1 / (1 + Math.exp(-logit))
}
