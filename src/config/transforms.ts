import type { Choice } from '../indexes/recipe.ts'
import type { Json } from '../types.ts'
import { type ChoiceVariant, readChoice } from './choice.ts'
import { show } from './explain.ts'
import type { Kind } from './kinds.ts'
import { choiceLabel } from './labels.ts'
import { isMap, type Path } from './problem.ts'
import type { Reading } from './reading.ts'

/** One variant of what stands before or after a strategy. */
export interface Chain {
  readonly choices: readonly Choice[]
  /** `normalize-keywords+expand(terms=5)` with the params that the config gives, or `none`. */
  readonly label: string
  readonly content: Json
  readonly varied: Readonly<Record<string, Json>>
}

/**
 * Reads `before` or `after`: a list of transforms, or `{grid: [...]}` over such lists, where a bare transform is a list
 * of one and `[]` is none. A grid among a transform's params multiplies too.
 */
export function readChain(
  raw: unknown,
  path: Path,
  key: 'before' | 'after',
  kind: Kind,
  reading: Reading,
): Chain[] {
  if (raw === undefined) return [{ choices: [], label: 'none', content: [], varied: {} }]
  if (!isMap(raw) || !('grid' in raw)) return readList(raw, path, kind, reading)
  const at = [...path, 'grid']
  if (Object.keys(raw).length > 1 || !Array.isArray(raw.grid) || raw.grid.length === 0) {
    reading.problems.push({
      path: at,
      message: `a grid of transforms is {grid: [[], [one], [one, another]]}, not empty, alone in its map`,
    })
    return []
  }
  return raw.grid.flatMap((item, place) => {
    const one = Array.isArray(item)
      ? readList(item, [...at, place], kind, reading)
      : readLinks([{ item, at: [...at, place] }], kind, reading)
    return one.map((chain) => ({
      ...chain,
      varied: { [key]: chain.label, ...chain.varied },
    }))
  })
}

function readList(raw: unknown, path: Path, kind: Kind, reading: Reading): Chain[] {
  if (Array.isArray(raw))
    return readLinks(
      raw.map((item, place) => ({ item, at: [...path, place] })),
      kind,
      reading,
    )
  reading.problems.push({ path, message: `must be a list of ${kind.word}s, not ${show(raw)}` })
  return []
}

function readLinks(
  links: readonly { readonly item: unknown; readonly at: Path }[],
  kind: Kind,
  reading: Reading,
): Chain[] {
  let chains: ChoiceVariant[][] = [[]]
  for (const { item, at } of links) {
    const variants = readChoice(item, at, kind, reading)
    chains = chains.flatMap((chain) => variants.map((variant) => [...chain, variant]))
  }
  return chains.map((chain) => ({
    choices: chain.map(({ choice }) => choice),
    label: chain.map(({ label }) => label).join('+') || 'none',
    content: chain.map(({ choice, content }) => [choice.name, content]),
    varied: Object.fromEntries(
      chain.flatMap(({ choice, varied }) =>
        Object.entries(varied).map(([param, value]) => [`${choice.name}.${param}`, value]),
      ),
    ),
  }))
}

/** With every param: `expand(terms=5,seed=0)`, or `none`. */
export function chainLabel(choices: readonly Choice[]): string {
  return choices.map((choice) => choiceLabel(choice)).join('+') || 'none'
}
