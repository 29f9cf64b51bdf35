import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'

/** The package's entries as they are shipped: a user can name every type of their signatures. */
const dist = resolve(import.meta.dirname, '../dist')

interface Declared {
  readonly file: string
  readonly text: string
}

const files = new Map<string, ReturnType<typeof readDeclarations>>()

/** A file's declarations by name, and where the names that it imports are declared. */
function readDeclarations(file: string) {
  const text = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
  const imports = new Map<string, { readonly file: string; readonly name: string }>()
  const reexports = new Map<string, { readonly file: string; readonly name: string }>()
  const stars: string[] = []
  const at = (from: string) => join(dirname(file), from.replace(/\.[jt]sx?$/, '.d.ts'))
  for (const [, kind, names, from] of text.matchAll(
    /^(import|export)[^{*'"\n]*\{([^}]*)\} from '(\.[^']+)'/gm,
  ))
    for (const one of names.split(',').map((name) => name.trim().replace(/^type /, ''))) {
      if (one === '') continue
      const [name, as = name] = one.split(' as ')
      const into = kind === 'import' ? imports : reexports
      into.set(as, { file: at(from), name })
    }
  for (const [, from] of text.matchAll(/^export type \* from '(\.[^']+)'/gm)) stars.push(at(from))
  const declarations = new Map<string, string>()
  for (const part of text.split(
    /^(?=(?:export |declare |interface |type |const |function |class |import ))/m,
  )) {
    const [, name] =
      /^(?:export |declare )*(?:abstract )?(?:interface|type|class|function|const) (\w+)/.exec(part) ?? []
    if (name) declarations.set(name, (declarations.get(name) ?? '') + part)
  }
  return { imports, reexports, stars, declarations }
}

function read(file: string) {
  const known = files.get(file) ?? readDeclarations(file)
  files.set(file, known)
  return known
}

/** Where a name that a file knows is declared. */
function find(file: string, name: string): (Declared & { readonly name: string }) | undefined {
  const { imports, reexports, stars, declarations } = read(file)
  const text = declarations.get(name)
  if (text !== undefined) return { file, name, text }
  const elsewhere = imports.get(name) ?? reexports.get(name)
  if (elsewhere) return find(elsewhere.file, elsewhere.name)
  for (const star of stars) {
    const found = find(star, name)
    if (found) return found
  }
  return undefined
}

const ENTRIES = [
  { entry: join(dist, 'index.d.ts'), page: 'library.md', least: 10 },
  { entry: join(dist, 'measures.d.ts'), page: 'measures.md', least: 8 },
]

function exportedNames(entry: string): string[] {
  const { reexports, stars } = read(entry)
  // A star exports types alone.
  const types = stars.flatMap((star) =>
    [...read(star).declarations].filter(([, text]) => !FUNCTION.test(text)).map(([name]) => name),
  )
  return [...reexports.keys(), ...types]
}

const FUNCTION = /^export (declare )?(async )?(function|const)/

/** The definers take what their own types describe; what a toolkit's helper gives is inferred, not named. */
const INFERRED =
  /^(define|steps$|indexes$|Toolkit$|Expression$|Strategy$|QueryTransform$|RankingTransform$|Chunker$|CustomEmbedder$|Extractor$|Metric$|Measure$)/

test.each(ENTRIES)('every type that a function of $page takes or gives can be named', ({ entry }) => {
  const exported = new Set(exportedNames(entry))
  const home = new Set(
    [...exported].map((name) => find(entry, name)).map((one) => `${one?.file} ${one?.name}`),
  )
  const missing = new Set<string>()
  const seen = new Set<string>()
  const visit = (one: Declared & { readonly name: string }) => {
    const id = `${one.file} ${one.name}`
    if (seen.has(id)) return
    seen.add(id)
    for (const [name] of one.text.matchAll(/\b[A-Z]\w*\b/g)) {
      const used = find(one.file, name)
      if (!used || used.name === one.name) continue
      if (
        used.text.startsWith('export') &&
        !used.text.includes('const ') &&
        !home.has(`${used.file} ${used.name}`)
      )
        missing.add(`${one.name} names ${used.name}`)
      visit(used)
    }
  }
  for (const name of exported) {
    const found = find(entry, name)
    expect(found, name).toBeDefined()
    if (found && !INFERRED.test(name)) visit(found)
  }
  expect([...missing]).toEqual([])
})

test.each(ENTRIES)('every function of the entry stands in docs/$page', ({ entry, page, least }) => {
  const text = readFileSync(resolve(import.meta.dirname, '../docs', page), 'utf8')
  const functions = exportedNames(entry).filter((name) => FUNCTION.test(find(entry, name)?.text ?? ''))
  expect(functions.length).toBeGreaterThan(least)
  expect(functions.filter((name) => !text.includes(name))).toEqual([])
})
