import { Stopped } from '../../stopping.ts'
import { loadTransformers } from './library.ts'
import { type ModelOptions, openModel } from './open.ts'

export interface SessionOptions extends ModelOptions {
  readonly pooling: 'mean' | 'cls'
}

export interface ModelSession {
  /** The text's tokens as numbers, cut to `maxTokens`, with what the model puts around a text. */
  tokens(text: string): readonly number[]
  /**
   * The text's L2-normalised vector. One text a call: int8 models scale per batch, so in a batch a vector would depend on
   * its neighbours.
   */
  embed(text: string): Promise<Float32Array>
}

export async function openModelSession(options: SessionOptions): Promise<ModelSession> {
  const { encode, run, tried } = await openModel(options, 'AutoModel')
  const { mean_pooling } = await loadTransformers()
  return {
    tokens: (text) => encode(text).input_ids,
    embed: (text) =>
      tried(async () => {
        const { last_hidden_state: states, attention_mask: mask } = await run(encode(text))
        const pooled = options.pooling === 'mean' ? mean_pooling(states, mask) : states.slice(null, 0)
        return Float32Array.from(pooled.normalize(2, -1).data as Float32Array)
      }),
  }
}

/** Vectors of the texts; of the first ones only once the process is asked to stop. */
export async function embedUntilStopped(
  session: ModelSession,
  texts: readonly string[],
  done?: (count: number) => void,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = []
  try {
    for (const text of texts) {
      vectors.push(await session.embed(text))
      done?.(1)
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
  }
  return vectors
}
