import { UserError } from '../errors.ts'
import type { ParquetColumn } from './column.ts'
import { readTable, writeTable } from './parquet.ts'
import type { TableBuilder } from './table.ts'

/** Name and version of one of our tables, stored in the file's key-value metadata. */
interface TableSchema {
  readonly name: string
  /** Raised whenever the columns or their meaning change. */
  readonly version: number
}

/** Writes one of our tables, marked with its name and version. */
export function writeOwnTable(
  path: string,
  { name, version }: TableSchema,
  columns: readonly ParquetColumn[],
): void {
  writeTable(path, columns, { 'touchstone.table': name, version: String(version) })
}

/** Reads one of our tables, or some columns of it. Throws a UserError where it is another table or version. */
export async function readOwnTable(
  path: string,
  schema: TableSchema,
  only?: readonly string[],
): Promise<TableBuilder> {
  const table = await readTable(path, only)
  requireSchema(table, schema)
  return table
}

function requireSchema(table: TableBuilder, { name, version }: TableSchema): void {
  const foundName = table.metadata.get('touchstone.table')
  const foundVersion = table.metadata.get('version')
  if (foundName !== name)
    throw new UserError({
      file: table.path,
      message: `is not a "${name}" table of Touchstone (it is ${foundName ? `"${foundName}"` : 'of unknown origin'})`,
    })
  if (foundVersion !== String(version))
    throw new UserError({
      file: table.path,
      message: `is a "${name}" table of version ${foundVersion ?? 'unknown'}, this Touchstone reads version ${version}; prepare it again`,
    })
}
