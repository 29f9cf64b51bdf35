import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parquetMetadata } from 'hyparquet'
import { expect, test } from 'vitest'
import { FORMAT } from '../../src/results/format.ts'
import { runConfig, runOptions, writeConfig, writeTowns } from '../experiment/experiments.ts'
import { temporaryFolder } from '../temporary.ts'

/**
 * The shape of an experiment folder, pinned to its format. Where this fails, raise FORMAT in src/results/format.ts
 * (once between two releases is enough) and pin both again: an older folder must be seen to be one.
 */
const PINNED = { format: 12, types: '018ccb077b0883f0', columns: 'f1ecf38cb5d366ec' }

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** Declarations without comments, spaces and separators: what a reader of the JSON files relies on. */
function declarations(file: string, part = /[\s\S]*/): string {
  const [text] = part.exec(readFileSync(join(root, file), 'utf8')) ?? ['']
  return text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|^import .*$/gm, '').replace(/[\s,;]+/g, '')
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)

test('the shape of experiment folders is that of FORMAT', async () => {
  const folder = temporaryFolder()
  writeTowns(join(folder, 'towns'), { towns: 12 })
  const run = join(folder, 'run')
  await runConfig(writeConfig(folder, '[bm25]'), join(folder, 'store'), runOptions(run))
  const [plan] = readdirSync(join(run, 'parts'))
  const [part] = readdirSync(join(run, 'parts', plan)).map((name) => join('parts', plan, name))
  const tables = [...readdirSync(run).filter((name) => name.endsWith('.parquet')), part]
  const columns = tables.map((name) => {
    const bytes = readFileSync(join(run, name))
    const { schema } = parquetMetadata(
      bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer,
    )
    const shown = schema
      .slice(1)
      .map((column) => `${column.name} ${column.type} ${column.converted_type ?? ''}`)
    return `${name === part ? 'part' : name}: ${shown.join(', ')}`
  })
  const types = ['src/results/summary.ts', 'src/results/latency.ts', 'src/config/experiment.ts'].map((file) =>
    declarations(file),
  )
  types.push(declarations('src/statistics/compare.ts', /^export interface Comparison[\s\S]*?^}/m))
  expect({ format: FORMAT, types: hash(types.join('\n')), columns: hash(columns.sort().join('\n')) }).toEqual(
    PINNED,
  )
})
