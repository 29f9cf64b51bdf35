import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { readText } from '../../store/input.ts'
import { CARD, cardConfigs } from '../../text/dataset-card.ts'
import { DOCUMENT_COLUMNS, QUERY_COLUMNS } from '../columns.ts'
import { defineFormat, type FileRule, type Params, type Part, split } from '../format.ts'
import { hasLabels, LATER_SHARD, type Source } from '../source.ts'

type Kind = 'corpus' | 'questions' | 'labels'

const TABLE = /\.(parquet|arrow|jsonl|ndjson|csv|tsv)(?:\.gz)?$/

const rule = (kind: Kind, name: string): FileRule => ({
  name,
  also: 'as Parquet, Arrow, JSONL, CSV or TSV',
  find: (source, { config }: Params) => partsOf(source, config)[kind],
  isMany: true,
})

/**
 * Retrieval data sets of MTEB and others on Hugging Face: configs for corpus, queries and qrels, or three such files in a folder. The
 * dataset card (`README.md`) says which files are a config's, else their folders do.
 */
export const huggingFace = defineFormat({
  name: 'hf',
  summary: 'corpus, queries and qrels as tables (Parquet, JSONL, CSV, TSV), as on Hugging Face and in MTEB',
  drops:
    'configs of other kinds; other columns of a query, nested ones of a document; queries that another split judges, counted',
  path: 'the folder',
  params: {
    config: z.string().optional().describe('part, as `de`, of configs named de-corpus, de-queries, de-qrels'),
    split,
  },
  roles: {
    corpus: { ...rule('corpus', 'corpus'), columns: DOCUMENT_COLUMNS },
    questions: { ...rule('questions', 'queries'), columns: QUERY_COLUMNS },
    labels: rule('labels', 'qrels'),
  },
  least: 2,
  recognises(source) {
    const { corpus, questions, labels } = partsOf(source)
    const files = [...corpus, ...questions, ...labels].map(({ file }) => file)
    const isBeir =
      files.some((file) => /^(corpus|queries)\.jsonl/.test(file)) &&
      source.files.some((file) => /^qrels\/[^/]+\.tsv/.test(file))
    // A corpus and queries in JSONL may be of many formats.
    const isPlain = labels.length === 0 && !files.some((file) => file.endsWith('.parquet'))
    return !isBeir && !isPlain && !files.some((file) => /^docs\.(?:jsonl|tsv)/.test(file))
  },
  notices({ source }) {
    const candidates = source.files.filter(
      (file) => TABLE.test(file) && source.shape(file).keys.some((key) => /^corpus[-_]ids$/i.test(key)),
    )
    return candidates.length === 0
      ? []
      : [
          `not read: ${candidates.join(', ')}, the candidates of each query; every query searches the whole corpus`,
        ]
  },
})

function partsOf(source: Source, config?: string): Record<Kind, Part[]> {
  const parts: Record<Kind, Part[]> = { corpus: [], questions: [], labels: [] }
  if (!source.isFolder) return parts
  const card = cardParts(source)
  for (const file of source.files.filter((path) => TABLE.test(path) && !LATER_SHARD.test(path))) {
    const { keys } = source.shape(file)
    const names = keys.map((key) => key.toLowerCase().replaceAll('-', '_'))
    const has = (...wanted: readonly string[]) => wanted.some((name) => names.includes(name))
    const { config: configName, split } = card.find((part) => part.has(file)) ?? placeOf(file)
    if (config !== undefined && !configName.split(/[-_/]/).includes(config) && configName !== config) continue
    const label = `${configName}/${file}`
    const part = { file, config: configName, split }
    if (hasLabels({ keys })) parts.labels.push(part)
    else if (has('retrieval_gt', 'context', 'contexts', 'doc_ids')) continue
    else if (/quer(?:y|ies)|questions|topics/i.test(label)) parts.questions.push(part)
    else if (!has('answers') && /corpus|docs|documents|passages|collection/i.test(label))
      parts.corpus.push({ file, config: configName })
  }
  return { corpus: typed(parts.corpus), questions: typed(parts.questions), labels: typed(parts.labels) }
}

/** Parts in Parquet or JSONL if there are any: sets of MTEB hold the same labels as TSV next to them. */
function typed(parts: Part[]): Part[] {
  const records = parts.filter(({ file }) => !/\.[ct]sv(?:\.gz)?$/.test(file))
  return records.length > 0 ? records : parts
}

/** `corpus/test-00000-of-00001.parquet` -> corpus, test. */
function placeOf(file: string): { config: string; split: string } {
  const folders = file.split('/').slice(0, -1)
  // `save_to_disk` writes a folder for each split, or one without splits.
  if (file.endsWith('.arrow')) {
    const split = folders.length > 1 ? (folders.pop() as string) : 'test'
    return { config: folders.join('/'), split }
  }
  const folder = folders.join('/')
  const name = basename(file)
    .replace(TABLE, '')
    .replace(/-\d{5}-of-\d{5}.*$/, '')
  // In one folder the files themselves are the configs.
  return folder === '' || folder === 'data'
    ? { config: name, split: 'test' }
    : { config: folder, split: name }
}

function cardParts(source: Source): { config: string; split: string; has: (file: string) => boolean }[] {
  const file = join(source.path, CARD)
  const configs = existsSync(file) ? cardConfigs(readText(file)) : []
  return configs.flatMap(({ name, splits }) => splits.map((split) => ({ config: name, ...split })))
}
