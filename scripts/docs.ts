import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { writeBlocks } from './pages.ts'
import { pricesMarkdown } from './price-table.ts'
import { referencePages } from './reference/pages.ts'

/**
 * `npm run docs`: writes docs/reference from the registries that validate configs, that is the JSON schema of configs and the
 * pages of the site, which are not tracked. It also writes the prices of docs/models.md.
 */
const folder = resolve(import.meta.dirname, '../docs/reference')
mkdirSync(folder, { recursive: true })
for (const [file, text] of Object.entries(await referencePages())) writeFileSync(join(folder, file), text)
writeBlocks(resolve(folder, '../models.md'), { prices: pricesMarkdown() })
