import { UserError } from '../errors.ts'
import type { Json } from '../types.ts'
import type { TableBuilder } from './table.ts'

type Metadata = Readonly<Record<string, Json>>

/** A `metadata` column: JSON text, '' where there is none. */
export function writeMetadata(rows: readonly { readonly metadata: Metadata }[]): string[] {
  return rows.map(({ metadata }) => (Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata)))
}

/** Reads a `metadata` column; equal texts share one object. */
export function readMetadata(table: TableBuilder): Metadata[] {
  const parsed = new Map<string, Metadata>([['', {}]])
  return table.strings('metadata').map((text, row) => {
    let metadata = parsed.get(text)
    if (metadata === undefined) {
      try {
        metadata = JSON.parse(text) as Metadata
      } catch {
        throw new UserError({ file: table.path, message: `column "metadata", row ${row + 1}: not JSON` })
      }
      parsed.set(text, metadata)
    }
    return metadata
  })
}
