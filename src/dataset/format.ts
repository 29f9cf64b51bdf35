import type { z } from 'zod'
import type { Json, Progress } from '../types.ts'
import type { DatasetSink } from './sink.ts'
import type { Source } from './source.ts'
import type { Dataset } from './types.ts'

/** Sign that a file or folder is of a format. */
export interface Evidence {
  /** Files that a reader opens, or that made the format recognizable. */
  readonly files: readonly string[]
  /** True if any other format that fits goes first. */
  readonly weak?: true
}

/** Means of a format that reads long. */
export interface Reading {
  /** The user's cache folder; absent keeps nothing. */
  readonly cache?: string
  readonly progress?: Progress
  /** True if the dataset was unpacked from a zip: no graph is taken from it. */
  readonly isUnpacked?: boolean
}

/** Choices of `prepare` that read a dataset's own graph. */
export interface OwnGraph {
  readonly graph?: Json
  readonly communities?: Json
  readonly reports?: Json
}

/** One way in which datasets lie on disk. */
export interface DatasetFormat<S extends z.ZodObject = z.ZodObject> {
  readonly name: string
  /** One line, for `touchstone list formats`. */
  readonly summary: string
  /** Records that are left out, and fields that are not read; for the table in the docs. */
  readonly drops: string
  /** Always has `path`. */
  readonly params: S
  /** Recognizes the format from names and beginnings of files; chooses the format of a bare path. */
  readonly sniff?: (source: Source) => Evidence | undefined
  /** Reads the files below `params.path` (absolute) and hands what they hold to `sink`, with its place. */
  load(params: z.output<S>, sink: DatasetSink, reading: Reading): Promise<void>
  /**
   * The graph in the corpus's folder, as values for `prepare`; a config without `graph` takes them. Empty if there is
   * none.
   */
  readonly graph?: (params: z.output<S>) => OwnGraph
  /** The text of a file that reads back as the same dataset; a UserError where the format cannot hold it. */
  readonly write?: (dataset: Dataset) => string
}

/** Gives a format's definition its types. */
export function defineDatasetFormat<S extends z.ZodObject>(format: DatasetFormat<S>): DatasetFormat<S> {
  return format
}

/** Evidence for a format whose data set is one file. */
export function oneFile(fits: (shape: ReturnType<Source['shape']>, file: string) => boolean) {
  return (source: Source): Evidence | undefined =>
    !source.isFolder && fits(source.shape(source.files[0]), source.files[0])
      ? { files: source.files }
      : undefined
}

/** Beginning of the notice of a dataset that lacks a part of its graph. */
export const NO_GRAPH = 'it holds no whole graph'

/** Notice of a dataset's own graph, and of files that half of it lacks. */
export function ownGraphInWords(
  own: OwnGraph,
  { isUnpacked = false }: Reading,
  missing: readonly string[] = [],
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
