import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { callsInTowns } from '../cli/calls.ts'

const root = resolve(import.meta.dirname, '../..')

test('`export --to code` writes a program that passes its own test', async () => {
  const { folder, call } = callsInTowns('dataset: towns\nmeasures: [recall@5]\ntrials: [bm25, naive]\n')
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules', 'touchstone'))
  await call('run', 'a.yaml', '--workers', '1')
  const exported = ['export', 'experiments/a', '--trial', 'bm25', '--to', 'code', '-o', 'mine']
  const written = await call(...exported)
  expect(written).toMatchObject({ code: 0, err: '' })
  expect(written.out).toContain('mine: config.yaml, retriever.mts, retriever.test.mts, for bm25')
  const tsx = join(root, 'node_modules/tsx/dist/loader.mjs')
  const test = join(folder, 'mine/retriever.test.mts')
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', tsx, '--test', test], {
    cwd: folder,
  })
  expect(stdout).toMatch(/# pass 3\n# fail 0/)
  // The written types hold.
  const tsc = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--skipLibCheck']
  const types = join(root, 'node_modules/@types')
  const more = ['--allowImportingTsExtensions', '--types', 'node', '--typeRoots', types]
  await promisify(execFile)(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), ...tsc, ...more, test],
    { cwd: folder },
  )
  expect(readFileSync(join(folder, 'mine/config.yaml'), 'utf8')).not.toContain(folder)
  // A folder with files is nobody's to overwrite.
  expect(await call(...exported)).toMatchObject({ code: 2 })
}, 180_000)
