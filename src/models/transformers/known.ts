import { basename } from 'node:path'

/** What is known of a model beforehand, so that a damaged copy is noticed. */
interface KnownModel {
  /** SHA-256 of published files by their length in bytes. */
  readonly files: Readonly<Record<number, string>>
  /** Of float32, mean pooling: the cosine of the first of `SENTENCES` to the second, the third and the fourth. */
  readonly cosines: readonly number[]
}

export const SENTENCES = [
  'That is a happy person',
  'That is a happy dog',
  'That is a very happy person',
  'Today is a sunny day',
] as const

/** int8 exports are within .03 of float32 on processors with and without VNNI; damage that matters is far beyond. */
export const KNOWN_WITHIN = 0.06

const KNOWN: Readonly<Record<string, KnownModel>> = {
  'all-MiniLM-L6-v2': {
    files: {
      // onnx/model.onnx of sentence-transformers, onnx/model_quantized.onnx of Xenova, and one with int8 by channels
      90405214: '6fd5d72fe4589f189f8ebc006442dbb529bb7ce38f8082112682524616046452',
      22972370: 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
      23413070: 'bc5b72d9d2c7f6823a46ac0ef4981cbfde3df82e4a89c00f2c90c70c135d8cf3',
      // tokenizer.json of sentence-transformers and of Xenova
      466247: 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037',
      711661: 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
    },
    cosines: [0.6946, 0.9429, 0.2569],
  },
}

/** By the last part of a folder's path or of a name on the hub. */
export function knownModel(model: string): KnownModel | undefined {
  const name = basename(model)
  return Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined
}
