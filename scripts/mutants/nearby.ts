import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Suites that say nothing of what src computes, or that need minutes. */
const LEFT =
  /^tests\/(?:browser|heavy|notebooks|srd52|dockerfile|package|recording|tasks|seeds|architecture|docs)\b/

/** By file of src the test files that import it, directly or not: those of its name first, then by distance. */
export function testsByFile(root: string): (file: string) => string[] {
  const files = ['src', 'tests', 'bench', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file}`)
      .filter((file) => /\.m?[jt]s$/.test(file)),
  )
  const importers = new Map<string, string[]>()
  for (const file of files)
    for (const [, name] of readFileSync(join(root, file), 'utf8').matchAll(
      /(?:\bfrom|\bimport)[\s(]*'(\.[^']+)'/g,
    )) {
      const target = join(dirname(file), name)
      if (existsSync(join(root, target))) importers.set(target, [...(importers.get(target) ?? []), file])
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
