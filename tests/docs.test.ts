import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { referencePages } from '../scripts/reference/pages.ts'
import { COMMANDS } from '../src/cli/commands.ts'
import { main } from '../src/cli/main.ts'
import { parseCommandLine } from '../src/cli/parse.ts'
import { loadConfig } from '../src/config/load.ts'
import { standIn } from './cli/stand-in.ts'
import { temporaryFolder } from './temporary.ts'

/** README and docs/ are true: links lead somewhere in a fresh clone, and commands are understood. */
const root = join(dirname(fileURLToPath(import.meta.url)), '..')

function pagesIn(folder: string): string[] {
  if (!existsSync(join(root, folder))) return []
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return files.filter((file) => file.endsWith('.md')).map((file) => join(folder, file))
}
/** Folder of generated pages; of its files only the schema of configs is tracked. */
const REFERENCE = join('docs', 'reference')
const isGenerated = (path: string) => dirname(path) === REFERENCE && path.endsWith('.md')
const pages = [
  ...readdirSync(root).filter((file) => file.endsWith('.md')),
  ...['docs', 'skills', 'datasets', 'notebooks', 'experiments', 'reports', '.github'].flatMap(pagesIn),
]
  .filter((path) => !isGenerated(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
const generated = Object.entries(await referencePages())
  .map(([file, text]) => ({ path: join(REFERENCE, file), text }))
  .filter(({ path }) => isGenerated(path))

describe('links', () => {
  test.each([...pages, ...generated])('of $path lead somewhere in a fresh clone', ({ path, text }) => {
    const prose = text.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, '')
    const broken = [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, to]) => to)
      .filter((to) => !leads(to, path, text))
    expect(broken).toEqual([])
  })
})

test('no page has marks of an unfinished merge', () => {
  expect(pages.filter(({ text }) => /^(<{7}|>{7}) /m.test(text)).map(({ path }) => path)).toEqual([])
})

test('docs/README.md leads to every page', () => {
  const index = pages.find(({ path }) => path === join('docs', 'README.md'))?.text ?? ''
  const listed = new Set([...index.matchAll(/\]\(([^)\s]+)\)/g)].map(([, to]) => join('docs', to)))
  const docPages = pages.map(({ path }) => path).filter((path) => /^docs.(evidence.)?[^/\\]+\.md$/.test(path))
  expect(docPages.filter((path) => path !== join('docs', 'README.md') && !listed.has(path))).toEqual([])
})

function leads(to: string, path: string, text: string): boolean {
  if (/^(https?|mailto):/.test(to)) return true
  const [file, anchor] = to.split('#')
  const target = file === '' ? join(root, path) : resolve(root, dirname(path), decodeURIComponent(file))
  if (!existsSync(target) || isGenerated(relative(root, target))) return false
  if (anchor === undefined || !target.endsWith('.md')) return true
  return headings(file === '' ? text : readFileSync(target, 'utf8')).has(anchor)
}

/** Anchors as GitHub makes them. */
function headings(text: string): Set<string> {
  const titles = [...text.replace(/```[\s\S]*?```/g, '').matchAll(/^#+ +(.*)$/gm)].map(([, title]) => title)
  return new Set(
    titles.map((title) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

/** Lines of code blocks (and indented lines) that start with a command of ours, continued lines joined. */
function commandLines(text: string): string[] {
  const blocks = [...text.matchAll(/```[a-z]*\n([\s\S]*?)```/g)].map(([, block]) => block)
  const indented = text.match(/^ {4}.*$/gm)?.join('\n') ?? ''
  const lines = [...blocks, indented]
    .join('\n')
    .replace(/\\\n\s*/g, ' ')
    .split('\n')
  return lines
    .map((line) => line.trim().replace(/^\$ /, ''))
    .filter((line) => /^(npx )?touchstone /.test(line))
}

/** The words of a command line, up to a comment, a pipe or a redirection. */
function words(line: string): string[] {
  const found = line.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? []
  const end = found.findIndex((word) => /^(#|\||>|&&|;)/.test(word))
  return found.slice(0, end < 0 ? undefined : end).map((word) => word.replace(/["']/g, ''))
}

const commands = pages.flatMap(({ path, text }) =>
  commandLines(text).map((line) => ({ path, line, argv: words(line.replace(/^npx /, '')).slice(1) })),
)

describe('commands', () => {
  test('in README and docs are understood', async () => {
    const wrong: string[] = []
    for (const { path, line, argv } of commands) {
      const [name, ...rest] = argv
      if (name.startsWith('-') || name === 'COMMAND') continue
      try {
        if (!Object.hasOwn(COMMANDS, name)) throw new Error('no such command')
        parseCommandLine((await COMMANDS[name]()).default, rest, standIn())
      } catch (error) {
        wrong.push(`${path}: ${line}: ${(error as Error).message}`)
      }
    }
    expect(wrong).toEqual([])
    expect(commands.length).toBeGreaterThan(0)
  })

  test('that only look around do what the page says', async () => {
    const cheap = commands.filter(
      ({ argv }) => ['list', 'check'].includes(argv[0]) && !argv.some((word) => word.includes('$')),
    )
    for (const { path, line, argv } of cheap) {
      // A file that the reader makes later: only its form can be checked.
      if (argv[0] === 'check' && !existsSync(join(root, argv[1]))) continue
      const terminal = standIn({ folder: root })
      expect(await main(argv, terminal), `${path}: ${line}\n${terminal.stderr()}`).toBe(0)
    }
  })

  test('npm scripts named in the pages exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const named = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/\bnpm run ([a-z][a-z:-]*)/g)].map(([, script]) => ({ path, script })),
    )
    expect(named.filter(({ script }) => !(script in scripts))).toEqual([])
  })
})

describe('configs', () => {
  const configs = readdirSync(join(root, 'configs'), { recursive: true, encoding: 'utf8' })
    // Files of configs/enrich are rules, which a config names. Those of configs/published need data and models of their own.
    .filter((file) => file.endsWith('.yaml') && !/^(?:enrich|published)/.test(file))
    .map((file) => join('configs', file))

  test.each(configs)('%s is in order, and explains itself', async (file) => {
    const data = join(root, 'datasets', 'quickstart')
    const env = { TOUCHSTONE_SHARED: '/nowhere' }
    const experiment = await loadConfig(file, { set: [`dataset=${data}`], env, folder: root })
    expect(experiment.trials.length).toBeGreaterThan(0)
    expect(readFileSync(join(root, file), 'utf8').match(/#/g)?.length, 'comments').toBeGreaterThan(4)
    expect(relative(root, experiment.file)).toBe(file)
  })

  const shown = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/```yaml\n(name: [\s\S]*?)```/g)]
      .filter(([, config]) => config.includes('\ndataset: datasets/quickstart'))
      .map(([, config]) => [path, config] as const),
  )

  test.each(shown)('that %s shows is in order as it stands there', async (_, config) => {
    const folder = temporaryFolder({ 'shown.yaml': config })
    const terminal = standIn({ folder })
    const set = `dataset=${join(root, 'datasets', 'quickstart')}`
    expect(await main(['check', 'shown.yaml', '--set', set], terminal), terminal.stderr()).toBe(0)
  })

  test('README and guides begin with one', () => {
    expect(shown.map(([path]) => path)).toEqual(
      expect.arrayContaining([
        'README.md',
        ...['answers', 'corpus', 'models', 'strategies'].map((page) => join('docs', `${page}.md`)),
      ]),
    )
  })
})
