import { execFileSync, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { PACKAGE } from '../../src/models/transformers/package.ts'
import { temporaryFolder } from '../temporary.ts'

const root = resolve(import.meta.dirname, '../..')

test('what a run left beside the configs and data is not packed', () => {
  const folder = temporaryFolder()
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'))
  const put = (path: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), 'x')
  }
  const wanted = ['bin/touchstone.js', 'dist/index.js', 'configs/quickstart.yaml', 'datasets/a/corpus.jsonl']
  const left = [
    'configs/.touchstone/touchstone-store',
    'configs/.touchstone/artifacts/00/vectors.safetensors',
    'datasets/a/.touchstone/touchstone-store',
    'docs/page.md.tmp',
    'experiments/one/summary.json',
    'reports/one.html',
  ]
  for (const path of [...wanted, ...left]) put(path)
  const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', '--offline'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const files = JSON.parse(packed)[0].files.map(({ path }: { path: string }) => path)
  expect(files).toEqual(expect.arrayContaining(wanted))
  for (const path of left) expect(files).not.toContain(path)
})

const OPTIONAL = '@huggingface'

/** The package as npm leaves it where an optional dependency's install script has failed. */
function installedWithoutOptional(): string {
  const folder = temporaryFolder({
    'a.yaml': [
      'name: a',
      'dataset: data',
      'prepare:',
      '  chunk: passages',
      '  embedder: { transformers: { model: owner/name } }',
      'trials: [naive]',
      'measures: [recall@5]',
    ].join('\n'),
    'data/corpus.jsonl': '{"_id": "d", "text": "salt"}\n',
    'data/queries.jsonl': '{"_id": "q", "text": "salt"}\n',
    'data/qrels/test.tsv': 'q\td\t1\n',
  })
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, 'touchstone'), { recursive: true })
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(join(root, part), join(modules, 'touchstone', part), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== OPTIONAL) symlinkSync(join(root, 'node_modules', name), join(modules, name))
  return folder
}

test('where npm has left out the package that runs ONNX models, check names the line and the command that helps', () => {
  const folder = installedWithoutOptional()
  const check = (...more: string[]) =>
    spawnSync(process.execPath, ['node_modules/touchstone/bin/touchstone.js', 'check', 'a.yaml', ...more], {
      cwd: folder,
      encoding: 'utf8',
    })
  const { status, stderr } = check()
  expect(status).toBe(2)
  expect(stderr).toMatch(/^a\.yaml:5:\d+: a model in ONNX needs the optional package/)
  expect(stderr).toContain(`npm install --ignore-scripts ${PACKAGE}, `)
  expect(check('--set', 'prepare.embedder=lsa')).toMatchObject({ status: 0, stderr: '' })
})

test('the command names the version that package.json pins', () => {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(Object.entries(optionalDependencies).map((pair) => pair.join('@'))).toEqual([PACKAGE])
})
