import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Mutant, mutantsOf } from './plant.ts'

export interface Planted extends Mutant {
  /** Below the root, with forward slashes. */
  readonly file: string
}

/** Every mutant of the files whose path below src begins so, without those that are known to change nothing. */
export function plantedIn(root: string, prefixes: readonly string[]): Planted[] {
  const equivalent: { file: string; before: string; after: string; reason: string }[] = JSON.parse(
    readFileSync(join(root, 'scripts', 'mutants', 'equivalent.json'), 'utf8'),
  )
  const changesNothing = (one: Planted) =>
    equivalent.some(
      ({ file, before, after }) => file === one.file && before === one.before && after === one.after,
    )
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => `src/${file}`)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts') && file !== 'src/version.ts')
    .filter((file) => prefixes.some((prefix) => file.startsWith(`src/${prefix}`)))
    .sort()
    .flatMap((file) =>
      mutantsOf(file, readFileSync(join(root, file), 'utf8')).map((mutant) => ({ ...mutant, file })),
    )
    .filter((one) => !changesNothing(one))
}

/** A list in an order drawn with `random`, a number from 0 to 1 for each item. */
export function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const keyed = list.map((value) => ({ value, key: random() }))
  return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value)
}
