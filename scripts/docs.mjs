// Writes docs/reference/*.md and the JSON schema of configs from the registries, so that they cannot say anything else
// than the code does. Reads dist/, so build first: node scripts/build.mjs && node scripts/docs.mjs
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { referencePages } = await import('../dist/cli/reference.js')
for (const [file, text] of Object.entries(await referencePages())) {
  const path = join(root, 'docs', 'reference', file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
