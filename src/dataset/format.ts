import { z } from 'zod'
import { UserError } from '../errors.ts'
import type { Json, Progress } from '../types.ts'
import type { Columns } from './columns.ts'
import type { Fields } from './lines.ts'
import type { RecordReader } from './records.ts'
import { hasKeys, LATER_SHARD, type Source } from './source.ts'

/** Kinds of files of a dataset. `notes` tell of the others, as how they were built. */
export type Role = 'corpus' | 'questions' | 'labels' | 'spans' | 'notes'

export interface Part {
  /** Below the folder. */
  readonly file: string
  readonly split?: string
  readonly config?: string
}

export interface FileRule {
  /** Name for messages: `corpus.jsonl`, `qrels/<split>.tsv`. */
  readonly name: string
  /** Other names of the files, for the message that they are missing. */
  readonly also?: string
  /** Path below the folder. A group `split` names the split. Of a list, the first pattern that fits any file counts. */
  readonly path?: RegExp | readonly RegExp[]
  readonly keys?: readonly string[]
  readonly head?: RegExp
  /** Files that no pattern can name, in place of `path`, `keys` and `head`. */
  find?(source: Source, params: Params): readonly Part[]
  readonly isOptional?: boolean
  /** True if every file that fits is read. Otherwise two are refused. */
  readonly isMany?: boolean
  readonly records?: RecordReader
  /** Records within one of the file, as the articles of one large object. */
  rows?(fields: Fields, params: Params): readonly unknown[]
  /** Columns by role; a mapper then gets a record's values by role. */
  readonly columns?: Columns
  refuse?(columns: readonly string[]): string | undefined
  readonly schema?: z.ZodType
  /** Text by id from other files of the folder, which the mapper gets. */
  readonly lookUp?: {
    files(source: Source): readonly string[]
    entry(fields: Fields): readonly [id: string, text: string]
  }
  /** True for qrels between white space, with TREC's columns. */
  readonly isTrec?: boolean
}

export interface RecordContext {
  readonly number: number
  readonly fields: Fields
  readonly taken: readonly (string | undefined)[]
  readonly params: Params
  /** Text of `lookUp`; '' if there is none. */
  textOf(id: string): string
}

// biome-ignore lint/suspicious/noExplicitAny: the values of somebody's file, which the record's schema checks
export type Values = Readonly<Record<string, any>>
// biome-ignore lint/suspicious/noExplicitAny: params of any format, checked by its schema
export type Params = Readonly<Record<string, any>>

/** Records are counted by these in a notice. */
interface Counted {
  readonly skip?: string
  readonly remark?: string
}

export interface DocumentRecord extends Counted {
  readonly id: unknown
  readonly title?: unknown
  readonly text: unknown
  readonly metadata?: unknown
}

/** Passage that a question brings along; the corpus is the union of these. */
interface ContextRecord {
  readonly title?: unknown
  readonly text: unknown
  readonly metadata?: unknown
  readonly isGold?: boolean
}

export interface QuestionRecord extends Counted {
  readonly id?: unknown
  /** Id in place of `id` if several questions have that one. */
  readonly uniqueId?: string
  readonly text?: unknown
  readonly metadata?: unknown
  readonly category?: unknown
  readonly answers?: unknown
  readonly answerable?: unknown
  readonly evidence?: unknown
  /** Ids of gold. Those of an inner list are alternatives. */
  readonly gold?: readonly (string | readonly string[])[]
  readonly contexts?: readonly ContextRecord[]
  /** Gold that the file names and does not hold, with the message of its error. */
  readonly missing?: readonly { readonly name: string; readonly message: string }[]
}

export interface OwnGraph {
  readonly graph?: Json
  readonly communities?: Json
  readonly reports?: Json
}

export interface Reading {
  /** The user's cache folder; absent keeps nothing. */
  readonly cache?: string
  readonly progress?: Progress
  /** True if the dataset was unpacked from a zip: no graph is taken from it. */
  readonly isUnpacked?: boolean
}

interface ReadDocuments {
  readonly documents: readonly { readonly id: string; readonly title: string; readonly text: string }[]
  readonly problem?: string
  readonly notices: readonly string[]
}

/** A format: where the records of a dataset lie, and pure functions that map them. */
export interface FormatRow {
  readonly name: string
  /** One line, for `touchstone list formats`. */
  readonly summary: string
  /** Records and fields that are not read, for the table in the docs. */
  readonly drops: string
  readonly path: string
  readonly params?: z.ZodRawShape
  readonly place?: 'file' | 'folder' | 'either'
  readonly roles: Readonly<Partial<Record<Role, FileRule>>>
  /** Roles that depend on the params, in their place. */
  rolesOf?(params: Params): Readonly<Partial<Record<Role, FileRule>>>
  /** Number of roles whose files make a bare path recognizable; default: 1. */
  readonly least?: number
  recognises?(source: Source): boolean
  /** True if any other format that fits goes first. */
  readonly isWeak?: boolean
  /** True if columns have fixed names, so that only other names are reported. */
  readonly hasFixedNames?: boolean
  document?(values: Values, context: RecordContext): DocumentRecord
  question?(values: Values, context: RecordContext): QuestionRecord | readonly QuestionRecord[]
  /** Sentence on how the dataset was built; an error is thrown as a UserError. */
  note?(
    values: Values,
    documents: Iterable<{ readonly metadata: Fields }>,
    params: Params,
  ): string | undefined
  read?(params: Params, reading: Reading): Promise<ReadDocuments>
  /** True if questions may lie in a file of their own, with gold by quote. */
  readonly takesQuestions?: boolean
  notices?(dataset: { readonly documents: number; readonly source: Source }): readonly string[]
  /** The graph in the corpus's folder, as values for `prepare`, and its missing files. A config without `graph` takes it. */
  ownGraph?(params: Params): { readonly own: OwnGraph; readonly missing: readonly string[] }
  /** Field of metadata that documents and questions share: a question searches documents with its own value. */
  readonly scope?: string
  /** Field of the questions' metadata by whose values they are resampled together. */
  readonly clusters?: string
}

/** A format, with the schema of its params. Always has `path`, which `{beir: PATH}` sets. */
export type DatasetFormat = Omit<FormatRow, 'params'> & {
  readonly params: z.ZodObject
  readonly only: 'path'
}

const policies = {
  missingGold: z
    .enum(['refuse', 'count'])
    .default('refuse')
    .describe(
      'gold that the corpus lacks, and questions without gold; `count` reports their number: missing gold counts as not found, questions without gold are left out',
    ),
  ownDocument: z
    .enum(['drop', 'keep'])
    .optional()
    .describe(
      "the document with the question's own id, as in ArguAna and Quora; `drop` removes it from that question's rankings, as BEIR does; default: it stays, with a warning",
    ),
  labels: z
    .string()
    .optional()
    .meta({ path: true })
    .describe('labels from `touchstone labels export --to labels`, used in place of the gold'),
}

export type Policies = z.output<z.ZodObject<typeof policies>>

const questions = z
  .string()
  .optional()
  .meta({ path: true })
  .describe('questions as JSONL, CSV, TSV or XLSX; gold is named by file (or id), heading, page or quote')

export const split = z
  .string()
  .regex(/^[\w.-]+$/, 'must be the name of a split')
  .optional()
  .describe('split of the labels, or `all`; default: `test` if there is one, else the only one')

export function defineFormat(row: FormatRow): DatasetFormat {
  return {
    ...row,
    only: 'path',
    params: z.strictObject({
      path: z.string().describe(row.path),
      ...row.params,
      ...(row.takesQuestions && { questions }),
      ...policies,
    }),
  }
}

export const NO_GRAPH = 'it holds no whole graph'

export function ownGraphInWords(
  { own, missing }: { readonly own: OwnGraph; readonly missing: readonly string[] },
  { isUnpacked = false }: Reading,
): string {
  const parts = Object.keys(own)
  const holds =
    parts.length === 0
      ? NO_GRAPH
      : isUnpacked
        ? `it holds its own ${parts.join(', ')}, which is not taken from a zip: unpack it, and give the path of the folder`
        : `it holds its own ${parts.join(', ')}, which \`prepare\` takes if the config names no graph`
  return missing.length === 0 ? holds : `${holds}; missing: ${missing.join(', ')}`
}

const SNIFFED = 200

/** Files that a rule names, in order. The first of several shards stands for all. */
export function filesOfRole(
  rule: FileRule,
  source: Source,
  params: Params,
  most = Number.POSITIVE_INFINITY,
): Part[] {
  if (rule.find) return [...rule.find(source, params)]
  const { path = /^/, keys = [], head } = rule
  for (const pattern of [path].flat()) {
    const parts = source.files
      .slice(0, head ? most : undefined)
      .filter((file) => !LATER_SHARD.test(file))
      .flatMap((file): Part[] => {
        const match = pattern.exec(file)
        const fits =
          match && hasKeys(source.shape(file), ...keys) && (head?.test(source.shape(file).head) ?? true)
        return fits ? [{ file, ...(match.groups?.split && { split: match.groups.split }) }] : []
      })
    if (parts.length > 0) return parts
  }
  return []
}

/** Files by which a path is recognized as a format; undefined if it is not. */
export function recognize(format: DatasetFormat, source: Source): readonly string[] | undefined {
  try {
    return recognized(format, source)
  } catch (error) {
    // Two files for one role: the reader says which.
    if (error instanceof UserError) return []
    throw error
  }
}

function recognized(format: DatasetFormat, source: Source): readonly string[] | undefined {
  const { place = 'folder', least = 1 } = format
  if (place !== 'either' && (place === 'file') === source.isFolder) return undefined
  const roles = (Object.entries(format.rolesOf?.({}) ?? format.roles) as [Role, FileRule][])
    .map(([, rule]) => filesOfRole(rule, source, {}, SNIFFED))
    .filter((parts) => parts.length > 0)
  if (roles.length < least || format.recognises?.(source) === false) return undefined
  return roles.flat().map(({ file }) => file)
}
