import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from './temporary.ts'

const root = resolve(import.meta.dirname, '..')

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
