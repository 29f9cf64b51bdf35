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

test('every notebook stands in their page', () => {
  const page = readFileSync(join(root, 'notebooks/README.md'), 'utf8')
  expect(notebooks).toHaveLength(6)
  for (const file of notebooks) expect(page).toContain(`(${file})`)
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

test('outputs are those of the last expression and of what is printed', async () => {
  const file = join(temporaryFolder(), 'small.ipynb')
  writeFileSync(
    file,
    JSON.stringify(notebook("console.log('a')\nconst b: number = await Promise.resolve(2)", 'b + 1')),
  )
  await run(file)
  const { cells } = JSON.parse(readFileSync(file, 'utf8'))
  expect(cells.map(({ outputs }: { outputs: unknown }) => outputs)).toEqual([
    [{ output_type: 'stream', name: 'stdout', text: ['a\n'] }],
    [{ output_type: 'execute_result', data: { 'text/plain': ['3'] }, metadata: {}, execution_count: 2 }],
  ])
  await expect(run('--check', file)).resolves.toBeDefined()
})
