import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../temporary.ts'

const root = resolve(import.meta.dirname, '../..')
const runner = join(root, 'scripts/run-notebooks.mjs')
const run = (...args: string[]) => promisify(execFile)(process.execPath, [runner, ...args])
const notebooks = readdirSync(join(root, 'notebooks')).filter((file) => file.endsWith('.ipynb'))

test('every notebook runs, and gives what is saved in it', { timeout: 300_000 }, async () => {
  const { stdout, stderr } = await run('--check')
  const ran = stdout.trim().split('\n')
  const left = stderr.trim().split('\n').filter(Boolean)
  expect(ran.length + left.length).toBe(notebooks.length)
  // Only Python's packages may be missing; the run says so.
  for (const line of left) {
    expect(line).toMatch(/^6-parquet-in-python\.ipynb: not run, Python lacks/)
    // biome-ignore lint/suspicious/noConsole: what was left out is said.
    console.info(line)
  }
})

const notebook = (...sources: string[]) => ({
  cells: sources.map((source) => ({ cell_type: 'code', metadata: {}, source: [source], outputs: [] })),
  metadata: { kernelspec: { name: 'deno', language: 'typescript' } },
})

test('a cell that throws fails the run and is named; nothing is saved', async () => {
  const folder = temporaryFolder()
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'broken.ipynb')
  const text = JSON.stringify(notebook('const a: number = 1\na', "throw new Error('no')"))
  writeFileSync(file, text)
  await expect(run(file)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/in cell 2[\s\S]*Error: no[\s\S]*failed: broken\.ipynb/),
  })
  expect(readFileSync(file, 'utf8')).toBe(text)
})
