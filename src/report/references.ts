import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Summary } from '../results/summary.ts'

/** Line of `references.bib`; `for` and `licence` are fields of ours. */
interface Reference {
  readonly names: readonly string[]
  readonly licence: string
  readonly entry: string
}

function readReferences(): Reference[] {
  const file = join(dirname(fileURLToPath(import.meta.url)), 'references.bib')
  const field = (line: string, name: string) => new RegExp(`, ${name} = \\{([^}]*)\\}`).exec(line)?.[1] ?? ''
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => ({
      names: field(line, 'for').split(' '),
      licence: field(line, 'licence'),
      entry: line.replace(/, (?:for|licence) = \{[^}]*\}/g, '').replaceAll(/, (?=\w+ = )/g, ',\n  '),
    }))
}

/** `beir/scifact` is known as `beir` and as `scifact`. */
function partsOf(name: string): string[] {
  return name.toLowerCase().split(/[/ _.:]/)
}

/** BibTeX of Touchstone, strategies and datasets of a result. */
export function bibtexOf({ trials, datasets }: Pick<Summary, 'trials' | 'datasets'>): string {
  const strategies = trials.map(({ strategy }) => strategy)
  const wanted = new Set(['touchstone', ...strategies, ...datasets.flatMap(({ name }) => partsOf(name))])
  const used = readReferences().filter(({ names }) => names.some((name) => wanted.has(name)))
  return `${used.map(({ entry }) => entry).join('\n\n')}\n`
}

/** '' if unknown. */
export function licenceOf(dataset: string): string {
  const parts = partsOf(dataset)
  return (
    readReferences().find(({ names, licence }) => licence && names.some((name) => parts.includes(name)))
      ?.licence ?? ''
  )
}
