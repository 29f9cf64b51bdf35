import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { UserError } from '../../errors.ts'
import type { Prefix } from '../embedder.ts'

/** Settings that a model was trained with, from its own files or its name. */
interface ModelSettings {
  readonly pooling?: 'mean' | 'cls'
  readonly maxTokens?: number
  readonly prefix?: Prefix
}

/**
 * Reads sentence-transformers' files next to the weights, then the table of known models. Throws a UserError for an
 * unknown pooling.
 */
export function modelSettings(model: string): ModelSettings {
  const published = knownModel(model)
  const pooling = poolingOf(model) ?? published?.pooling
  const maxTokens =
    count(read(model, 'sentence_bert_config.json').max_seq_length) ??
    published?.maxTokens ??
    count(read(model, 'tokenizer_config.json').model_max_length) ??
    count(read(model, 'config.json').max_position_embeddings)
  const prefix = prefixOf(model) ?? published?.prefix
  return { pooling, maxTokens, prefix }
}

const POOLING = '1_Pooling/config.json'

function poolingOf(model: string): ModelSettings['pooling'] {
  const settings = read(model, POOLING)
  const modes = Object.keys(settings).filter(
    (key) => key.startsWith('pooling_mode_') && settings[key] === true,
  )
  const [mode, ...more] = modes
  if (mode === undefined) return undefined
  if (more.length === 0 && mode === 'pooling_mode_mean_tokens') return 'mean'
  if (more.length === 0 && mode === 'pooling_mode_cls_token') return 'cls'
  throw new UserError(
    `asks for ${modes.join(' and ')}; only pooling_mode_mean_tokens and pooling_mode_cls_token are known`,
    join(model, POOLING),
  )
}

function prefixOf(model: string): Prefix | undefined {
  const { prompts } = read(model, 'config_sentence_transformers.json')
  if (typeof prompts !== 'object' || prompts === null) return undefined
  const { query, passage, document } = prompts as Record<string, unknown>
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  const prefix = { query: text(query), passage: text(passage ?? document) }
  return prefix.query === '' && prefix.passage === '' ? undefined : prefix
}

function read(model: string, file: string): Record<string, unknown> {
  const path = join(model, file)
  if (!existsSync(path)) return {}
  try {
    const content = JSON.parse(readFileSync(path, 'utf8'))
    return typeof content === 'object' && content !== null ? content : {}
  } catch {
    throw new UserError('is not JSON', path)
  }
}

/** Count of tokens, or undefined: files without a limit hold 1e30. */
function count(value: unknown): number | undefined {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) <= 100_000
    ? (value as number)
    : undefined
}

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
