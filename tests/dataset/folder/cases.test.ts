import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadDataset } from '../../../src/dataset/load.ts'
import { formatDiagnostic, UserError } from '../../../src/errors.ts'

// A folder in tests/golden/folders is a case: `docs`, perhaps `questions.jsonl`, and `expected.txt` with documents and notices, or errors.
const golden = join(import.meta.dirname, '../../golden/folders')

for (const name of readdirSync(golden).sort())
  test(`folder: ${name}`, async () => {
    const path = join(golden, name, 'docs')
    const questions = join(golden, name, 'questions.jsonl')
    const lines = await linesOf({ path, ...(existsSync(questions) && { questions }) })
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(join(golden, name, 'expected.txt'))
  })

async function linesOf(params: { readonly path: string }): Promise<string[]> {
  try {
    const { documents, notices } = await loadDataset({ name: 'folder', params }, '.')
    return [
      ...documents.map(({ id, title, text, metadata }) => JSON.stringify([id, title, text, metadata])),
      ...notices,
    ]
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return error.diagnostics.map(({ file, ...diagnostic }) =>
      formatDiagnostic({ ...diagnostic, ...(file && { file: file.replace(/^.*\//, '') }) }),
    )
  }
}
