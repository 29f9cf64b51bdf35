import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { loadDataset } from '../../src/dataset/load.ts'
import { UserError } from '../../src/errors.ts'

// A folder in tests/golden/datasets is a case: a broken data set beside `expected.txt`, what its door must say, and
// where it is no BEIR folder, `choice.json`.
const golden = join(dirname(fileURLToPath(import.meta.url)), '../golden/datasets')

for (const name of readdirSync(golden).sort())
  test(`bad data set: ${name}`, async () => {
    const folder = join(golden, name)
    const choice = existsSync(join(folder, 'choice.json'))
      ? JSON.parse(readFileSync(join(folder, 'choice.json'), 'utf8'))
      : { name: 'beir', params: { path: '.' } }
    const error = await loadDataset(choice, folder).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(UserError)
    // What a JSON parser says, and where, is Node's.
    const said = (error as UserError).message
      .replaceAll(`${folder}/`, '')
      .replaceAll(folder, '<folder>')
      .replace(/(:\d+)(?::\d+)?: is not valid JSON: .*$/gm, '$1: is not valid JSON: ...')
    await expect(`${said}\n`).toMatchFileSnapshot(join(folder, 'expected.txt'))
  })
