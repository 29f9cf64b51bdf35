import { basename } from 'node:path'
import type { Prefix } from '../embedder.ts'

/** Facts about a known model: its use, and hashes of its files, so that a damaged copy is noticed. */
interface KnownModel {
  readonly pooling?: 'mean' | 'cls'
  readonly maxTokens?: number
  readonly prefix?: Prefix
  /** SHA-256 of published files by their length in bytes. */
  readonly files?: Readonly<Record<number, string>>
}

const E5: KnownModel = { pooling: 'mean', maxTokens: 512, prefix: { query: 'query: ', passage: 'passage: ' } }
const SEARCHING: KnownModel = {
  pooling: 'cls',
  maxTokens: 512,
  prefix: { query: 'Represent this sentence for searching relevant passages: ', passage: '' },
}
const SEARCHING_ZH: KnownModel = {
  ...SEARCHING,
  prefix: { query: '为这个句子生成表示以用于检索相关文章：', passage: '' },
}
const NOMIC: KnownModel = {
  pooling: 'mean',
  prefix: { query: 'search_query: ', passage: 'search_document: ' },
}

/** Prefixes, pooling and lengths as the models' own cards say, 2026-11. */
const KNOWN: Readonly<Record<string, KnownModel>> = {
  ...named(E5, 'e5-small', 'e5-base', 'e5-large', 'e5-small-v2', 'e5-base-v2', 'e5-large-v2'),
  ...named(E5, 'multilingual-e5-small', 'multilingual-e5-base', 'multilingual-e5-large'),
  ...named(SEARCHING, 'bge-small-en-v1.5', 'bge-base-en-v1.5', 'bge-large-en-v1.5'),
  ...named(SEARCHING, 'mxbai-embed-large-v1', 'snowflake-arctic-embed-s', 'snowflake-arctic-embed-m'),
  ...named(SEARCHING_ZH, 'bge-small-zh-v1.5', 'bge-base-zh-v1.5', 'bge-large-zh-v1.5'),
  ...named({ pooling: 'cls', maxTokens: 8192 }, 'bge-m3'),
  ...named(NOMIC, 'nomic-embed-text-v1', 'nomic-embed-text-v1.5', 'nomic-embed-text'),
  ...named({ ...NOMIC, maxTokens: 512 }, 'nomic-embed-text-v2', 'nomic-embed-text-v2-moe'),
  'all-MiniLM-L6-v2': {
    pooling: 'mean',
    maxTokens: 256,
    files: {
      // onnx/model.onnx of sentence-transformers, onnx/model_quantized.onnx of Xenova, and one with int8 by channels
      90405214: '6fd5d72fe4589f189f8ebc006442dbb529bb7ce38f8082112682524616046452',
      22972370: 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
      23413070: 'bc5b72d9d2c7f6823a46ac0ef4981cbfde3df82e4a89c00f2c90c70c135d8cf3',
      // tokenizer.json of sentence-transformers and of Xenova
      466247: 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037',
      711661: 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
    },
  },
}

function named(model: KnownModel, ...names: readonly string[]): Record<string, KnownModel> {
  return Object.fromEntries(names.map((name) => [name, model]))
}

/** Finds a known model by the last part of a folder's path or of a name on the hub. */
export function knownModel(model: string): KnownModel | undefined {
  const name = basename(model)
  return Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined
}
