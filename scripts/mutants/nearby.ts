import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Suites that say nothing of what src computes, or that need minutes. */
const LEFT =
  /^tests\/(?:browser|heavy|system|notebooks|srd52|dockerfile|package|recording|tasks|seeds|architecture|docs)\b/

/** Imports, lazy ones among them; files of threads and processes; the command line that a test starts. */
const REACHED = /(?:(?:\bfrom|\bimport)[\s(]*|\bnew URL\()'(\.[^']+)'|'(bin\/touchstone\.js)'/g

/** By file of src the test files that reach it, directly or not: those of its name first, then by distance. */
export function testsByFile(root: string): (file: string) => string[] {
  const files = ['src', 'bin', 'tests', 'bench', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file}`)
      .filter((file) => /\.m?[jt]sx?$/.test(file)),
  )
  const importers = new Map<string, string[]>()
  for (const file of files)
    for (const [, name, command] of readFileSync(join(root, file), 'utf8').matchAll(REACHED)) {
      const target = sourceOf(root, command ?? join(dirname(file), name))
      if (target !== undefined) importers.set(target, [...(importers.get(target) ?? []), file])
    }
  return (file) => {
    const distances = new Map([[file, 0]])
    for (const [at, distance] of distances)
      for (const importer of importers.get(at) ?? [])
        if (!distances.has(importer)) distances.set(importer, distance + 1)
    const isSchema = readFileSync(join(root, file), 'utf8').includes("from 'zod'")
    const rank = (test: string) => {
      const isNamed = basename(test, '.test.ts') === basename(file, '.ts')
      const isBeside = dirname(test).slice('tests'.length) === dirname(file).slice('src'.length)
      // The reference pages hold every summary, default and limit of a schema.
      if (test === 'tests/reference.test.ts' && isSchema) return 0
      return (distances.get(test) ?? 0) - (isNamed ? 3 : 0) - (isBeside ? 2 : 0)
    }
    const size = (test: string) => statSync(join(root, test)).size
    return [...distances.keys()]
      .filter((test) => test.startsWith('tests/') && test.endsWith('.test.ts') && !LEFT.test(test))
      .sort((a, b) => rank(a) - rank(b) || size(a) - size(b) || (a < b ? -1 : 1))
  }
}

/** The file, or the source of a built one; undefined if there is none. */
function sourceOf(root: string, file: string): string | undefined {
  const source = file.replace(/^dist\//, 'src/').replace(/\.js$/, '.ts')
  return [source, file].find((one) => existsSync(join(root, one)))
}
