import type { z } from 'zod'
import type { DatasetSink } from './sink.ts'
import type { Dataset } from './types.ts'

/** One way in which datasets lie on disk. */
export interface DatasetFormat<S extends z.ZodObject = z.ZodObject> {
  readonly name: string
  /** One line, for `touchstone list formats`. */
  readonly summary: string
  /** Always has `path`. */
  readonly params: S
  /** True if the file or folder looks like this format; chooses the format of a bare path. */
  readonly detect?: (path: string) => boolean
  /** Reads the files below `params.path` (absolute) and hands what they hold to `intake`, with its place. */
  load(params: z.output<S>, sink: DatasetSink): Promise<void>
  /** The text of a file that reads back as the same dataset; a UserError where the format cannot hold it. */
  readonly write?: (dataset: Dataset) => string
}

/** Gives a format's definition its types. */
export function defineDatasetFormat<S extends z.ZodObject>(format: DatasetFormat<S>): DatasetFormat<S> {
  return format
}
