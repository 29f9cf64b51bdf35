import { execFileSync, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { PACKAGE } from '../../src/models/transformers/local-params.ts'
import { sharedFolder, temporaryFolder } from '../temporary.ts'

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

const packed = sharedFolder()
/** The packed package; made once. */
function tarball(): string {
  const words = ['pack', '--ignore-scripts', '--offline', '--pack-destination', packed]
  if (readdirSync(packed).length === 0) execFileSync('npm', words, { cwd: root, stdio: 'ignore' })
  return join(packed, readdirSync(packed)[0])
}

/** A project that has the packed package and its dependencies installed. */
function installedFromTarball(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder(files)
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== 'touchstone') symlinkSync(join(root, 'node_modules', name), join(modules, name))
  mkdirSync(join(modules, 'touchstone'))
  execFileSync('tar', ['xzf', tarball(), '--strip-components=1', '-C', join(modules, 'touchstone')])
  return folder
}

/**
 * Modules and packages that the process loads which runs `file`; node lists the files as it measures coverage, and the
 * build writes the name of each module above its code.
 */
function loadedBy(file: string, folder: string): { stdout: string; loaded: string[] } {
  const coverage = temporaryFolder()
  const stdout = execFileSync(process.execPath, [file], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NODE_V8_COVERAGE: coverage },
  })
  const urls = readdirSync(coverage).flatMap((name): string[] =>
    JSON.parse(readFileSync(join(coverage, name), 'utf8')).result.map(({ url }: { url: string }) => url),
  )
  const loaded = urls
    .filter((url) => url.startsWith('file:'))
    .flatMap((url) =>
      url.includes('/dist/bundle/')
        ? [...readFileSync(new URL(url), 'utf8').matchAll(/^\/\/!? \.\.\/src\/(\S+\.[jt]s)$/gm)].map(
            ([, module]) => module,
          )
        : [url.replace(/^.*\/dist\//, '')],
    )
  return { stdout, loaded }
}

/** Measures, tests, run files, and readers and writers of text files: nothing that knows chunks, models or experiments. */
const PARTS_OF_MEASURES =
  /^((metrics|statistics|runs|text)\/|store\/(input|hash|write|processes)\.ts|tables\/(roles|qrel-table)\.ts|library\/(compare-runs|score-run)\.ts|(measures|errors|maps|random|registry)\.[jt]s)/

test('touchstone/measures of the packed package: every example of its page runs, with types, and loads nothing else', () => {
  const page = readFileSync(join(root, 'docs/measures.md'), 'utf8')
  const examples = [...page.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code)
  const folder = installedFromTarball({
    ...Object.fromEntries(examples.map((code, index) => [`example-${index}.mjs`, code])),
    ...Object.fromEntries(
      examples.map((code, index) => [
        `typed-${index}.mts`,
        code.replace('(hit)', '(hit: (index: number) => boolean)'),
      ]),
    ),
    'import.mjs': "import 'touchstone/measures'\n",
    'run.trec': 'q1 Q0 b 1 2 mine\nq1 Q0 a 2 1 mine\n',
    'qrels.txt': 'q1 0 a 1\nq1 0 b one\n',
    'package.json': '{"type": "module"}',
  })
  const ran = examples.map((_, index) => loadedBy(`example-${index}.mjs`, folder))
  expect(ran.map(({ stdout }) => stdout)).toEqual([
    expect.stringMatching(/^0\.5 0\.5 0\.75\n$/),
    expect.stringMatching(/^dense - bm25: 0\.375 \[.*\], p 0\.\d+: better\n$/),
    expect.stringMatching(/^0\.169 0\.00\d+ better\ntrue { wins: 14, ties: 2, losses: 0 }\n$/),
    expect.stringMatching(/^mine \[ 'b', 'a' \]\n.*qrels\.txt:2: .*one.*\n$/),
  ])
  // Parquet comes with the first Parquet file.
  const { loaded } = loadedBy('import.mjs', folder)
  expect(loaded.length).toBeGreaterThan(30)
  const others = loaded.filter((path) => !PARTS_OF_MEASURES.test(path))
  expect(others).toEqual([
    expect.stringMatching(/\/import\.mjs$/),
    expect.stringMatching(/\/node_modules\/fastest-levenshtein\/mod\.js$/),
  ])
  const typed = examples.map((_, index) => `typed-${index}.mts`)
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node']
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...options, ...typed], {
    cwd: folder,
  })
})

/** Refuses every connection of a process and its threads. */
const NO_NETWORK = `import { Socket } from 'node:net'
Socket.prototype.connect = () => { throw new Error('a connection was opened') }
globalThis.fetch = () => { throw new Error('something was fetched') }
`

test('init --demo of the packed package runs the quickstart in an empty folder, without a network', {
  timeout: 400_000,
}, () => {
  const folder = installedFromTarball({ 'no-network.mjs': NO_NETWORK, 'demo/.keep': '' })
  const demo = join(folder, 'demo')
  const run = (...words: string[]) =>
    spawnSync(process.execPath, [join(folder, 'node_modules/touchstone/bin/touchstone.js'), ...words], {
      cwd: demo,
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: `--import ${join(folder, 'no-network.mjs')}` },
    })
  const { status, stdout, stderr } = run('init', '--demo')
  expect(status, stderr).toBe(0)
  expect(stdout).toContain('report: reports/quickstart.html')
  expect(readFileSync(join(demo, 'reports/quickstart.html'), 'utf8')).toContain('title-ppr')
  const expected = join(root, 'configs/expected/quickstart.json')
  expect(run('gate', 'experiments/quickstart', '--expected', expected)).toMatchObject({ status: 0 })

  rmSync(join(demo, 'dataset'), { recursive: true })
  const again = run('init', '--demo')
  expect(again.status).toBe(2)
  expect(again.stderr.split('\n').map((line) => line.split(':')[0])).toEqual([
    'quickstart.yaml',
    'experiments/quickstart',
    'reports/quickstart.html',
    '',
  ])
  expect(existsSync(join(demo, 'dataset'))).toBe(false)

  rmSync(join(folder, 'node_modules/touchstone/datasets'), { recursive: true })
  const lacking = run('init', 'elsewhere', '--demo')
  expect(lacking.status).toBe(2)
  expect(lacking.stderr.match(/datasets\/quickstart\/\S+: is missing from the package/g)).toHaveLength(5)
  expect(existsSync(join(demo, 'elsewhere'))).toBe(false)
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

test('without the package that runs ONNX models, check names the line and the command that helps', () => {
  const folder = installedWithoutOptional()
  const check = (...more: string[]) =>
    spawnSync(process.execPath, ['node_modules/touchstone/bin/touchstone.js', 'check', 'a.yaml', ...more], {
      cwd: folder,
      encoding: 'utf8',
    })
  const { status, stderr } = check()
  expect(status).toBe(2)
  expect(stderr).toMatch(/^a\.yaml:5:\d+: a model in ONNX needs the package/)
  expect(stderr).toContain(` --ignore-scripts ${PACKAGE}; `)
  expect(check('--set', 'prepare.embedder=lsa')).toMatchObject({ status: 0, stderr: '' })
})
