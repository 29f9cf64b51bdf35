import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadDataset } from '../../../src/dataset/load.ts'

// A folder in tests/golden/folders is a case: `docs`, and `expected.txt` with its documents and notices.
const golden = join(import.meta.dirname, '../../golden/folders')

for (const name of readdirSync(golden).sort())
  test(`folder: ${name}`, async () => {
    const path = join(golden, name, 'docs')
    const { documents, notices } = await loadDataset({ name: 'folder', params: { path } }, '.')
    const lines = documents.map(({ id, title, text, metadata }) =>
      JSON.stringify([id, title, text, metadata]),
    )
    await expect(`${[...lines, ...notices].join('\n')}\n`).toMatchFileSnapshot(
      join(golden, name, 'expected.txt'),
    )
  })
