import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../src/errors.ts'
import { type DecodeLimits, readForeignTable } from '../../src/tables/foreign.ts'
import { readTable, writeTable } from '../../src/tables/parquet.ts'
import type { TableBuilder } from '../../src/tables/table.ts'
import { temporaryFolder } from '../temporary.ts'

const COLUMNS = ['title', 'text_unit_ids', 'weight', 'rank'] as const

/** A table as another system writes one, small: a few hundred rows of texts, lists, numbers. Returns its path. */
export function writeForeign(): string {
  const path = join(temporaryFolder(), 'entities.parquet')
  const rows = Array.from({ length: 300 }, (_, row) => row)
  writeTable(path, [
    { name: 'title', type: 'string', values: rows.map((row) => `Entity ${row % 40} of ${row}`) },
    { name: 'text_unit_ids', type: 'strings', values: rows.map((row) => [`t${row}`, `t${row % 7}`]) },
    { name: 'weight', type: 'number', values: rows.map((row) => Math.sqrt(row)) },
    { name: 'rank', type: 'int32', values: Int32Array.from(rows, (row) => row % 5) },
  ])
  return path
}

export type Read = 'the same' | 'other' | 'refused' | 'out of time'

/** Flips bit `bit` of a copy of the file at `path` and reads that within limits. Throws every error that is no UserError. */
export async function readFlipped(path: string, bit: number, limits: Partial<DecodeLimits>): Promise<Read> {
  const bytes = readFileSync(path)
  bytes[bit >> 3] ^= 1 << (bit & 7)
  const flipped = join(temporaryFolder(), 'flipped.parquet')
  writeFileSync(flipped, bytes)
  try {
    const contents = [
      await readTable(path),
      await readForeignTable(flipped, undefined, { seconds: 60, cpuSeconds: 60, ...limits }),
    ].map(contentOf)
    return contents[0] === contents[1] ? 'the same' : 'other'
  } catch (error) {
    if (!(error instanceof UserError) || !error.message.includes('flipped.parquet: ')) throw error
    return /was not decoded within \d+ s/.test(error.message) ? 'out of time' : 'refused'
  }
}

function contentOf(table: TableBuilder): string {
  const [title, units, weight, rank] = COLUMNS
  return JSON.stringify([
    table.strings(title),
    table.lists(units),
    table.numbers(weight),
    table.numbers(rank),
  ])
}
