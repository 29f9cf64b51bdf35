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
}

const sources: readonly Source[] = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => {
    const text = readFileSync(join(src, file), 'utf8')
    return { path: file.split(sep).join('/'), text, imports: importsOf(text) }
  })

function importsOf(text: string): string[] {
  const code = withoutComments(text)
  const found = [
    ...code.matchAll(/^(?:import|export)\b[^'"`;]*?\bfrom\s*'([^']+)'/gm),
    ...code.matchAll(/^import\s*'([^']+)'/gm),
    ...code.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g),
  ]
  return found.map(([, name]) => name)
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
    const end = lines.findIndex((one, at) => at > start && one.startsWith(`${indent}}`) && !one.endsWith('{'))
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

/** Folder below src/, or the file itself at the top; each folder of retrieve/, and plan/ and shard/ of experiment/, is an area. */
const area = (path: string): string => {
  const [folder, below, file] = path.split('/')
  const split = folder === 'retrieve' || (folder === 'experiment' && ['plan', 'shard'].includes(below))
  return split && file ? `${folder}/${below}` : folder
}

/**
 * Areas that each area may import. Roughly, in order: types, errors, kernel <- text, ranking, metrics, statistics <- store,
 * custom, tables, models, dataset <- corpus <- retrieve <- config <- experiment (plan <- shard <- the rest) <- library <-
 * view <- cli; results <- report <- library <- view <- cli.
 */
const CORE = ['types.ts', 'errors.ts', 'version.ts', 'kernel.ts', 'random.ts', 'stopping.ts', 'threads.ts']
const PURE = [...CORE, 'text', 'registry.ts', 'ranking', 'metrics', 'statistics']
const DATA = [...PURE, 'store', 'tables', 'models', 'dataset']
const PREPARED = [...DATA, 'corpus', 'engines', 'custom', 'retrieve']
const STEPS = [...PREPARED, 'retrieve/steps']
const STRATEGIES = [
  ...STEPS,
  'retrieve/strategies',
  'retrieve/transforms',
  'retrieve/router',
  'retrieve/custom',
]
const PLANNED = [...STRATEGIES, 'config', 'results', 'runs', 'answer', 'experiment/plan']
const EXPERIMENT = [...PLANNED, 'experiment/shard', 'experiment']
const PRODUCT = [...EXPERIMENT, 'clusters', 'questions', 'labels', 'report', 'hub']
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'types.ts': [],
  'errors.ts': [],
  'version.ts': [],
  'kernel.ts': [],
  'random.ts': [],
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
  models: DATA,
  hub: [...PURE, 'store', 'models'],
  answer: [...DATA, 'corpus', 'runs'],
  questions: DATA,
  labels: DATA,
  dataset: DATA,
  runs: DATA,
  corpus: [...DATA, 'custom', 'runs'],
  engines: [...DATA, 'corpus', 'retrieve', 'retrieve/steps', 'retrieve/strategies'],
  clusters: EXPERIMENT,
  retrieve: PREPARED,
  'retrieve/steps': PREPARED,
  'retrieve/strategies': [...STEPS, 'retrieve/router'],
  'retrieve/transforms': STEPS,
  'retrieve/router': STEPS,
  'retrieve/custom': [...STEPS, 'retrieve/strategies', 'retrieve/transforms'],
  config: [...STRATEGIES, 'runs', 'answer', 'hub'],
  results: [...PURE, 'store', 'answer'],
  'experiment/plan': PLANNED,
  'experiment/shard': PLANNED,
  experiment: [...EXPERIMENT, 'labels'],
  report: [...PURE, 'store', 'results', 'models', 'retrieve/strategies', 'retrieve/transforms'],
  library: PRODUCT,
  view: [...PRODUCT, 'library'],
  cli: [...PRODUCT, 'library', 'view'],
}

/** What users of the package import. */
const ENTRIES = ['index.ts', 'measures.ts']

describe('imports', () => {
  test('every area of src/ has a rule', () => {
    const areas = new Set(sources.map(({ path }) => area(path)))
    for (const entry of ENTRIES) areas.delete(entry)
    expect([...areas].filter((one) => !(one in MAY_IMPORT))).toEqual([])
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
        source.imports.map((name) => target(source, name)).filter((path) => path !== undefined),
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
    const known = new Set(sources.map(({ path }) => path))
    const wrong = sources.flatMap((source) =>
      source.imports.flatMap((name) => {
        const to = target(source, name)
        if (to === undefined) return []
        if (ENTRIES.includes(to)) return [`${source.path} imports the entry ${to}`]
        return to.endsWith('.ts') && !known.has(to)
          ? [`${source.path} imports ${to}, which is not there`]
          : []
      }),
    )
    expect(wrong).toEqual([])
  })

  test.each(['clusters', 'engines'])('%s are reached through a table of lazy entries', (folder) => {
    const table = sources.find(({ path }) => path === `${folder}/index.ts`)
    expect(withoutComments(table?.text ?? '')).not.toMatch(/^import (?!type\b)/m)
    const wrong = sources
      .filter(({ path }) => area(path) !== folder)
      .flatMap((source) =>
        source.imports
          .map((name) => target(source, name))
          .filter((to) => to && area(to) === folder && to !== table?.path)
          .map((to) => `${source.path} imports ${to}`),
      )
    expect(wrong).toEqual([])
  })

  /** Strategies and transforms: each is one file of the folder, or a folder with this file and the parts that it alone reads. */
  const SLICES: Readonly<Record<string, string>> = {
    'retrieve/strategies': 'strategy.ts',
    'retrieve/transforms': 'transform.ts',
  }
  /** Name of the slice that a file belongs to: the file or the folder below `folder`. */
  const slice = (folder: string, path: string) =>
    path
      .slice(folder.length + 1)
      .split('/')[0]
      .replace(/\.ts$/, '')
  const slices = (folder: string) =>
    sources.filter(({ path }) => area(path) === folder && !['index', 'define'].includes(slice(folder, path)))

  test.each(Object.keys(SLICES))('%s see steps, not one another', (folder) => {
    for (const source of slices(folder)) {
      for (const name of source.imports) {
        const to = target(source, name)
        if (to && area(to) === folder && to !== `${folder}/define.ts`)
          expect(slice(folder, to), `${source.path} imports ${to}`).toBe(slice(folder, source.path))
      }
      expect(withoutComments(source.text), source.path).not.toMatch(/\bDate\b|performance\.now|setTimeout/)
    }
  })

  test.each(Object.entries(SLICES))('%s: a definition sees no files and no Parquet', (folder, main) => {
    const definitions = slices(folder).filter(
      ({ path }) => dirname(path) === folder || basename(path) === main,
    )
    for (const source of definitions) {
      for (const name of source.imports) {
        expect(name, `${source.path} imports ${name}`).not.toMatch(/^node:|parquet/)
        const to = target(source, name)
        if (to) expect(['store', 'tables', 'dataset'], `${source.path} imports ${to}`).not.toContain(area(to))
      }
    }
  })

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
  const door = ['compare-runs', 'judged', 'measures', 'score-run'].map((name) => `library/${name}.ts`)
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

  test('hold no function of more than 100 lines', () => {
    const long = sources.flatMap(({ path, text }) =>
      longFunctions(text, 100).map((line) => `${path}: ${line.trim()}`),
    )
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
  /** A folder of definitions, one file each, and its registry in index.ts, from which every file is imported. */
  const REGISTRIES: readonly { folder: string; beside: readonly string[] }[] = [
    { folder: 'retrieve/strategies', beside: [] },
    { folder: 'retrieve/transforms', beside: [] },
    { folder: 'corpus/chunks/chunkers', beside: [] },
    { folder: 'dataset/formats', beside: [] },
    { folder: 'corpus/graph/extractors', beside: ['files.ts'] },
    { folder: 'corpus/graph/communities', beside: ['assemble.ts'] },
    { folder: 'corpus/graph/reports', beside: ['assemble.ts', 'sentences.ts'] },
    { folder: 'corpus/summaries/summarizers', beside: [] },
    { folder: 'models/embedders', beside: [] },
    { folder: 'models/rerankers', beside: [] },
    { folder: 'models/chat/providers', beside: [] },
  ]

  test.each(REGISTRIES)('$folder: a file is an entry, an entry is a file', async ({ folder, beside }) => {
    const files = sources
      .map(({ path }) => (path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : ''))
      .filter((file) => /^[^/]+\.ts$|\/(strategy|transform)\.ts$/.test(file))
      .filter((file) => !['index.ts', 'define.ts', ...beside].includes(file))
    const registry = sources.find(({ path }) => path === `${folder}/index.ts`)
    expect(registry, `${folder}/index.ts`).toBeDefined()
    const imported = (registry?.imports ?? []).filter(
      (name) => name.startsWith('./') && name !== './define.ts',
    )
    expect(imported.map((name) => name.slice(2)).sort()).toEqual(files.sort())
    for (const file of files) {
      const text = sources.find(({ path }) => path === `${folder}/${file}`)?.text
      const names = [...(text ?? '').matchAll(/^\s*name: '([^']+)'/gm)].map(([, name]) => name)
      expect(names, `${folder}/${file} is named after what it defines`).toContain(
        file.replace(/(\/\w+)?\.ts$/, ''),
      )
    }
  })

  test('metrics: the registry holds every family', () => {
    const families = sources.filter(
      ({ path, text }) => area(path) === 'metrics' && /^ {2}defineMetric\(/m.test(text),
    )
    const registry = sources.find(({ path }) => path === 'metrics/index.ts')
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
