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
    for (const item of names.split(',').map((name) => name.trim().replace(/^type /, ''))) {
      if (item === '') continue
      const [name, as = name] = item.split(' as ')
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
  const declarations = files.get(file) ?? readDeclarations(file)
  files.set(file, declarations)
  return declarations
}

/** Declaration of a name that a file uses. */
function find(file: string, name: string): (Declared & { readonly name: string }) | undefined {
  const { imports, reexports, stars, declarations } = read(file)
  const text = declarations.get(name)
  if (text !== undefined) return { file, name, text }
  const elsewhere = imports.get(name) ?? reexports.get(name)
  if (elsewhere) return find(elsewhere.file, elsewhere.name)
  for (const star of stars) {
    const declared = find(star, name)
    if (declared) return declared
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
    [...exported].map((name) => find(entry, name)).map((declared) => `${declared?.file} ${declared?.name}`),
  )
  const missing = new Set<string>()
  const seen = new Set<string>()
  const visit = (declared: Declared & { readonly name: string }) => {
    const id = `${declared.file} ${declared.name}`
    if (seen.has(id)) return
    seen.add(id)
    for (const [name] of declared.text.matchAll(/\b[A-Z]\w*\b/g)) {
      const used = find(declared.file, name)
      if (!used || used.name === declared.name) continue
      if (
        used.text.startsWith('export') &&
        !used.text.includes('const ') &&
        !home.has(`${used.file} ${used.name}`)
      )
        missing.add(`${declared.name} names ${used.name}`)
      visit(used)
    }
  }
  for (const name of exported) {
    const declared = find(entry, name)
    expect(declared, name).toBeDefined()
    if (declared && !INFERRED.test(name)) visit(declared)
  }
  expect([...missing]).toEqual([])
})

test.each(ENTRIES)('every function of the entry stands in docs/$page', ({ entry, page, least }) => {
  const text = readFileSync(resolve(import.meta.dirname, '../docs', page), 'utf8')
  const functions = exportedNames(entry).filter((name) => FUNCTION.test(find(entry, name)?.text ?? ''))
  expect(functions.length).toBeGreaterThan(least)
  expect(functions.filter((name) => !text.includes(name))).toEqual([])
})
