import { UserError } from '../errors.ts'
import type { TableBuilder } from './table.ts'

/** Name and version of one of our tables, stored in the file's key-value metadata. */
interface TableSchema {
  readonly name: string
  /** Raised whenever the columns or their meaning change. */
  readonly version: number
}

export function schemaMetadata({ name, version }: TableSchema): Record<string, string> {
  return { 'touchstone.table': name, version: String(version) }
}

/** Throws a UserError where `table` is not this table in this version. */
export function requireSchema(table: TableBuilder, { name, version }: TableSchema): void {
  const found = table.metadata.get('touchstone.table')
  const foundVersion = table.metadata.get('version')
  if (found !== name)
    throw new UserError({
      file: table.path,
      message: `is not a "${name}" table of Touchstone (it is ${found ? `"${found}"` : 'of unknown origin'})`,
    })
  if (foundVersion !== String(version))
    throw new UserError({
      file: table.path,
      message: `is a "${name}" table of version ${foundVersion ?? 'unknown'}, this Touchstone reads version ${version}; prepare it again`,
    })
}
