import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

/** The rules that keep the house in order, checked by reading src/ as text: who imports whom, and what files are called. */
const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const src = join(root, 'src')

interface Source {
  /** Below src/, with forward slashes. */
  readonly path: string
  readonly text: string
  /** Without comments and strings' contents that could look like code. */
  readonly imports: readonly string[]
  /** Imports at the time of a call, as in the list of a kind's parts. */
  readonly lazy: readonly string[]
}

const sources: readonly Source[] = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => {
    const text = readFileSync(join(src, file), 'utf8')
    const lazy = lazyImportsOf(text)
    return { path: file.split(sep).join('/'), text, imports: [...importsOf(text), ...lazy], lazy }
  })

function importsOf(text: string): string[] {
  const code = withoutComments(text)
  const imports = [
    ...code.matchAll(/^(?:import|export)\b[^'"`;]*?\bfrom\s*'([^']+)'/gm),
    ...code.matchAll(/^import\s*'([^']+)'/gm),
  ]
  return imports.map(([, name]) => name)
}

function lazyImportsOf(text: string): string[] {
  return [...withoutComments(text).matchAll(/\bimport\(\s*'([^']+)'\s*\)/g)].map(([, name]) => name)
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
}

/** First lines of functions of more than `limit` lines, in code as the formatter leaves it. */
function longFunctions(text: string, limit: number): string[] {
  const lines = text.split('\n')
  return lines.filter((line, start) => {
    if (!/\bfunction\b|=> \{$|^\s+(?:async )?\w+\(.*\) \{$/.test(line) || /^\s*(?:\*|\/[/*])/.test(line))
      return false
    const [indent] = /^\s*/.exec(line) ?? ['']
    const end = lines.findIndex(
      (line, at) => at > start && line.startsWith(`${indent}}`) && !line.endsWith('{'),
    )
    return end - start + 1 > limit
  })
}

/** Below src/, what an import of `source` names; undefined for a package. */
function target(source: Source, name: string): string | undefined {
  if (!name.startsWith('.')) return undefined
  return normalize(join(dirname(source.path), name))
    .split(sep)
    .join('/')
}

/** Folder below src/, or the file itself at the top; each folder of retrieve/, plan/ and shard/ of experiment/, and findings/ of report/ is an area. */
const area = (path: string): string => {
  const [folder, below, file] = path.split('/')
  const split =
    folder === 'retrieve' ||
    (folder === 'experiment' && ['plan', 'shard'].includes(below)) ||
    (folder === 'report' && below === 'findings')
  return split && file ? `${folder}/${below}` : folder
}

/**
 * Areas that each area may import. Roughly, in order: types, errors, kernel <- text, ranking, metrics, statistics <- store,
 * custom, tables, models, dataset <- corpus <- retrieve <- config <- experiment (plan <- shard <- the rest) <- library <-
 * view <- cli; results <- report <- experiment.
 */
const CORE = [
  'types.ts',
  'errors.ts',
  'version.ts',
  'kernel.ts',
  'random.ts',
  'maps.ts',
  'stopping.ts',
  'threads.ts',
]
const PURE = [...CORE, 'text', 'registry.ts', 'ranking', 'metrics', 'statistics']
const DATA = [...PURE, 'store', 'tables', 'models', 'dataset']
const PREPARED = [...DATA, 'corpus', 'engines', 'custom', 'retrieve']
const STEPS = [...PREPARED, 'retrieve/steps', 'retrieve/router']
const STRATEGIES = [...STEPS, 'retrieve/strategies', 'retrieve/transforms', 'retrieve/custom']
const PLANNED = [...STRATEGIES, 'config', 'results', 'runs', 'answer', 'experiment/plan']
const EXPERIMENT = [...PLANNED, 'experiment/shard', 'experiment']
const PRODUCT = [...EXPERIMENT, 'questions', 'labels', 'report', 'report/findings', 'hub']
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'types.ts': [],
  'errors.ts': [],
  'version.ts': [],
  'kernel.ts': [],
  'random.ts': [],
  'maps.ts': [],
  'stopping.ts': CORE,
  'threads.ts': [],
  text: CORE,
  'registry.ts': [...CORE, 'text'],
  ranking: PURE,
  metrics: PURE,
  statistics: PURE,
  store: PURE,
  tables: [...PURE, 'store'],
  custom: [...PURE, 'store'],
  models: [...PURE, 'store', 'tables'],
  hub: [...PURE, 'store', 'models'],
  answer: [...DATA, 'corpus', 'runs', 'retrieve', 'retrieve/steps'],
  questions: DATA,
  labels: DATA,
  dataset: [...DATA, 'custom'],
  runs: DATA,
  corpus: [...DATA, 'custom', 'runs'],
  engines: [...DATA, 'corpus'],
  retrieve: PREPARED,
  'retrieve/steps': [...PREPARED, 'retrieve/router'],
  'retrieve/strategies': STEPS,
  'retrieve/transforms': STEPS,
  'retrieve/router': PREPARED,
  'retrieve/custom': [...STEPS, 'retrieve/strategies', 'retrieve/transforms'],
  config: [...STRATEGIES, 'runs', 'answer', 'hub'],
  results: [...PURE, 'store', 'answer'],
  'experiment/plan': PLANNED,
  'experiment/shard': PLANNED,
  experiment: [...EXPERIMENT, 'labels', 'report/findings'],
  'report/findings': [...PURE, 'results', 'report'],
  report: [
    ...PURE,
    'store',
    'results',
    'report/findings',
    'models',
    'retrieve/strategies',
    'retrieve/transforms',
  ],
  library: PRODUCT,
  view: [...PRODUCT, 'library'],
  cli: [...PRODUCT, 'library', 'view'],
}

/** Entries of the package. */
const ENTRIES = ['index.ts', 'measures.ts']

describe('imports', () => {
  test('every area of src/ has a rule', () => {
    const areas = new Set(sources.map(({ path }) => area(path)))
    for (const entry of ENTRIES) areas.delete(entry)
    expect([...areas].filter((area) => !(area in MAY_IMPORT))).toEqual([])
  })

  test('go one way', () => {
    const wrong = sources
      .filter(({ path }) => !ENTRIES.includes(path))
      .flatMap((source) =>
        source.imports.flatMap((name) => {
          const to = target(source, name)
          if (to === undefined || area(to) === area(source.path)) return []
          return MAY_IMPORT[area(source.path)].includes(area(to)) ? [] : [`${source.path} imports ${to}`]
        }),
      )
    expect(wrong).toEqual([])
  })

  test('lead nowhere back', () => {
    const importsOf = new Map(
      sources.map((source) => [
        source.path,
        source.imports
          .filter((name) => !source.lazy.includes(name))
          .map((name) => target(source, name))
          .filter((path) => path !== undefined),
      ]),
    )
    const done = new Set<string>()
    const circles: string[] = []
    const follow = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '))
      if (done.has(path)) return
      done.add(path)
      for (const next of importsOf.get(path) ?? []) follow(next, [...trail, path])
    }
    for (const path of importsOf.keys()) follow(path, [])
    expect(circles).toEqual([])
  })

  test('no file imports an entry of the package, and imported files are there', () => {
    const paths = new Set(sources.map(({ path }) => path))
    const wrong = sources.flatMap((source) =>
      source.imports.flatMap((name) => {
        const to = target(source, name)
        if (to === undefined) return []
        if (ENTRIES.includes(to)) return [`${source.path} imports the entry ${to}`]
        return to.endsWith('.ts') && !paths.has(to)
          ? [`${source.path} imports ${to}, which is not there`]
          : []
      }),
    )
    expect(wrong).toEqual([])
  })

  test('engines are reached through their list', () => {
    const wrong = sources
      .filter(({ path }) => area(path) !== 'engines')
      .flatMap((source) => source.imports.map((name) => target(source, name)))
      .filter((to) => to && area(to) === 'engines' && to !== 'engines/index.ts')
    expect(wrong).toEqual([])
  })

  test.each(['retrieve/strategies', 'retrieve/transforms'])(
    '%s see no clock, no files and no Parquet',
    (folder) => {
      for (const source of sources.filter(({ path }) => area(path) === folder)) {
        for (const name of source.imports) {
          expect(name, `${source.path} imports ${name}`).not.toMatch(/^node:|parquet/)
          const to = target(source, name) ?? ''
          const isData = ['store', 'tables', 'dataset'].includes(area(to)) && to !== 'store/artifact.ts'
          expect(isData, `${source.path} imports ${to}`).toBe(false)
        }
        expect(withoutComments(source.text), source.path).not.toMatch(/\bDate\b|performance\.now|setTimeout/)
      }
    },
  )

  test.each(['metrics', 'ranking', 'statistics'])('%s are pure', (folder) => {
    for (const { path, imports, text } of sources.filter((source) => area(source.path) === folder)) {
      expect(
        imports.filter((name) => name.startsWith('node:') || !name.startsWith('.')),
        path,
      ).toEqual([])
      expect(withoutComments(text), path).not.toMatch(/\bDate\b|performance\.now|Math\.random|\bawait\b/)
    }
  })
})

test('the strategy naive loads at most 90 files', () => {
  const loaded = loadedWith('retrieve/strategies/naive.ts')
  expect(loaded.size).toBeGreaterThan(50)
  expect(loaded.size).toBeLessThanOrEqual(90)
})

/** Name of the part that a file belongs to: the file or the folder below `folder`. */
const slice = (folder: string, path: string) =>
  path
    .slice(folder.length + 1)
    .split('/')[0]
    .replace(/\.ts$/, '')

/** Lists of parts: the folder, and the files that the list imports lazily. */
const lists = sources.flatMap((source) => {
  if (!source.text.includes('= listParts<')) return []
  const entries = [...source.text.matchAll(/: \(\) => import\('([^']+)'\)/g)]
  return [{ folder: dirname(source.path), parts: entries.flatMap(([, name]) => target(source, name) ?? []) }]
})

test('a part loads no other part of its kind', () => {
  expect(lists.length).toBeGreaterThan(9)
  for (const { parts } of lists) {
    for (const part of parts) {
      const others = [...loadedWith(part)].filter((path) => path !== part && parts.includes(path))
      expect(others, part).toEqual([])
    }
  }
})

/** A file and all files that its static imports load. */
function loadedWith(start: string): ReadonlySet<string> {
  const byPath = new Map(sources.map((source) => [source.path, source]))
  const loaded = new Set([start])
  for (const path of loaded) {
    const source = byPath.get(path)
    for (const name of valueImports(source?.text ?? '')) {
      const to = source && target(source, name)
      if (to) loaded.add(to)
    }
  }
  return loaded
}

/** Files that are loaded with a file: its static imports of more than types. */
function valueImports(text: string): string[] {
  const statements = withoutComments(text).matchAll(/^(?:import|export)\b([^'"`;]*?)\bfrom\s*'([^']+)'/gm)
  const isType = (names: string) =>
    /^\s*type\s+[{\w]/.test(names) ||
    (/^\s*\{/.test(names) && [...names.matchAll(/[{,]\s*(\w+)/g)].every(([, word]) => word === 'type'))
  return [...statements].flatMap(([, names, file]) => (isType(names) ? [] : [file]))
}

test('touchstone/measures reaches measures, tests and run files, and nothing else of the product', () => {
  const byPath = new Map(sources.map((source) => [source.path, source]))
  const reached = new Set(['measures.ts'])
  for (const path of reached) {
    const source = byPath.get(path)
    for (const name of source?.imports ?? []) {
      const to = source && target(source, name)
      if (to) reached.add(to)
    }
  }
  const allowed = [
    'metrics',
    'statistics',
    'runs',
    'text',
    'tables',
    'store',
    ...CORE,
    'registry.ts',
    'measures.ts',
  ]
  const door = ['compare-runs', 'score-run'].map((name) => `library/${name}.ts`)
  expect([...reached].filter((path) => !allowed.includes(area(path)) && !door.includes(path))).toEqual([])
})

describe('the library', () => {
  test('only the command line and the library have console and process', () => {
    const wrong = sources
      .filter(({ path }) => !['cli', 'library'].includes(area(path)))
      // A process's number makes a temporary file's name its own; one file decides which processes live.
      .filter(({ path }) => path !== 'store/processes.ts')
      .filter(({ text }) => /(?<![-\w.])(console\.|process\.(?!pid\b))/.test(withoutComments(text)))
    expect(wrong.map(({ path }) => path)).toEqual([])
  })

  test('has no chance and no wall clock in it', () => {
    const wrong = sources
      .filter(({ path }) => !['cli', 'library'].includes(area(path)))
      .filter(({ text }) =>
        /Math\.random|Date\.now|new Date\(\)|Math\.log\([^()]*\)\s*\/\s*Math\.LN2/.test(
          withoutComments(text),
        ),
      )
    expect(wrong.map(({ path }) => path)).toEqual([])
  })

  test('has no `any` and no silenced compiler', () => {
    const silenced = sources.filter(({ text }) => /@ts-(ignore|nocheck|expect-error)/.test(text))
    expect(silenced.map(({ path }) => path)).toEqual([])
  })
})

describe('doc comments', () => {
  const VAGUE = /\/\*\*[\s*]*((?:What|Where|Whether|Who|Whoever|Whose|Which|How|Why|Of|By|The same)\b[^\n]*)/g

  test('begin with a noun or a verb', () => {
    const wrong = sources.flatMap(({ path, text }) =>
      [...text.matchAll(VAGUE)].map(([, line]) => `${path}: ${line}`),
    )
    expect(wrong).toEqual([])
  })

  test('of single lines too', () => {
    const vague = /^\s*\/\/ (?:What|Where|Whether|Who|Whoever|Whose|Which|Of|By)\b.*/gm
    expect(
      sources.flatMap(({ path, text }) => (text.match(vague) ?? []).map((line) => `${path}:${line}`)),
    ).toEqual([])
  })

  test('of config keys and choices too', () => {
    const schema = readFileSync(join(root, 'docs', 'reference', 'config.schema.json'), 'utf8')
    const wrong = schema.match(
      /"description": "(?:what|where|whether|who|whose|which|how|why|of|by)\b[^"]*/gi,
    )
    expect(wrong ?? []).toEqual([])
  })
})

describe('files', () => {
  const names = (folder: string) => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })

  test('are called by what they hold', () => {
    const vague = /^(utils?|helpers?|common|base|manager|factory|service|misc)(\.|$)/i
    const parts = ['src', 'tests', 'scripts'].flatMap((folder) =>
      names(folder).flatMap((file) => file.split(sep)),
    )
    expect(parts.filter((part) => vague.test(part))).toEqual([])
  })

  test('hold no function of more than 100 lines, but for components with state', () => {
    const long = sources
      .filter(({ path }) => !path.includes('/browser/'))
      .flatMap(({ path, text }) => longFunctions(text, 100).map((line) => `${path}: ${line.trim()}`))
    expect(long).toEqual([])
    const signature = 'export function f({\n  a,\n}: A): {\n  b: B\n} {\n  return a\n}\nfunction g() {\n}'
    expect(longFunctions(signature, 6)).toEqual(['export function f({'])
    expect(longFunctions('const f = {\n  async g(a) {\n    a\n  },\n}', 2)).toEqual(['  async g(a) {'])
  })

  test('leave nothing for later', () => {
    const wrong = sources.filter(({ text }) =>
      /being written|not implemented|\b(TODO|FIXME|XXX)\b/i.test(text),
    )
    expect(wrong.map(({ path }) => path)).toEqual([])
  })
})

describe('registries', () => {
  test('a part is a file with a default export, named after it, and an import in the list of its folder', () => {
    for (const { folder, parts } of lists) {
      const files = sources.filter(
        ({ path, text }) => path.startsWith(`${folder}/`) && /^export default /m.test(text),
      )
      expect(files.map(({ path }) => path).sort(), folder).toEqual([...parts].sort())
      for (const { path, text } of files) expect(text, path).toContain(`name: '${slice(folder, path)}'`)
    }
  })

  /** Folders of definitions, one file each, that its index.ts imports. */
  test.each(['dataset/formats', 'models/rerankers'])(
    '%s: a file is an entry, an entry is a file',
    (folder) => {
      const files = sources
        .map(({ path }) => (path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : ''))
        .filter((file) => /^[^/]+\.ts$/.test(file) && !['index.ts', 'define.ts'].includes(file))
      const registry = sources.find(({ path }) => path === `${folder}/index.ts`)
      const imported = (registry?.imports ?? []).filter(
        (name) => name.startsWith('./') && name !== './define.ts',
      )
      expect(imported.map((name) => name.slice(2)).sort()).toEqual(files.sort())
    },
  )

  test('metrics: the registry holds every family', () => {
    const families = sources.filter(
      ({ path, text }) => area(path) === 'metrics' && /^ {2}defineMetric\(/m.test(text),
    )
    const registry = sources.find(({ path }) => path === 'metrics/parse.ts')
    const imported = new Set(registry?.imports)
    expect(families.length).toBeGreaterThan(2)
    for (const { path } of families) expect(imported, path).toContain(`./${basename(path)}`)
  })

  test('commands: every file is an entry with an example', async () => {
    const { COMMANDS, loadCommands } = await import('../src/cli/commands.ts')
    const files = readdirSync(join(src, 'cli', 'commands')).map((file) => basename(file, '.ts'))
    expect(Object.keys(COMMANDS).sort()).toEqual(files.sort())
    for (const { name, examples } of await loadCommands())
      expect(examples.length, `${name} has an example`).toBeGreaterThan(0)
  })

  test('the rules above look at real code', () => {
    expect(sources.length).toBeGreaterThan(100)
    expect(sources.flatMap(({ imports }) => imports).length).toBeGreaterThan(300)
    expect(relative(root, src)).toBe('src')
  })
})
