import { basename } from 'node:path'
import type { Prefix } from '../embedder.ts'

/** Use of a model that its own files may not say. */
interface KnownModel {
  readonly pooling?: 'mean' | 'cls'
  readonly maxTokens?: number
  readonly prefix?: Prefix
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
  'all-MiniLM-L6-v2': { pooling: 'mean', maxTokens: 256 },
}

function named(model: KnownModel, ...names: readonly string[]): Record<string, KnownModel> {
  return Object.fromEntries(names.map((name) => [name, model]))
}

export function knownModel(model: string): KnownModel | undefined {
  const name = basename(model)
  return Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined
}
