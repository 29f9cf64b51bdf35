import type { Json } from '../types.ts'
import type { Estimate, Summary } from './summary.ts'

export interface BriefNamed {
  readonly name: string
  readonly strategy: string
  /** Params that the config varies, in the order of the name. */
  readonly varied: Readonly<Record<string, Json>>
}

/** `hybrid alpha=0.5 fusion=rrf` -> `hybrid 0.5 rrf`. A name from the config stays. */
export function briefName({ name, strategy, varied }: BriefNamed): string {
  const made = name.startsWith(`${strategy} `)
  if (!made || !Object.keys(varied).every((param) => name.includes(` ${param}=`))) return name
  return name.replace(/ [^\s=]+=/g, ' ')
}

/** All rows by name; trials of one name are told apart by id. */
export function namedRows({
  trials,
  tuned,
}: Pick<Summary, 'trials' | 'tuned'>): {
  readonly name: string
  readonly id: string
  readonly measures: Readonly<Record<string, Estimate>>
}[] {
  const times = new Map<string, number>()
  for (const { name } of trials) times.set(name, (times.get(name) ?? 0) + 1)
  return [
    ...trials.map(({ id, name, measures }) => ({
      id,
      measures,
      name: times.get(name) === 1 ? name : `${name} (${id})`,
    })),
    ...tuned.map(({ id, measures }) => ({ name: id, id, measures })),
  ]
}

/** Most names in a message. */
const MOST = 20

export function namesInWords(names: readonly string[], quoted: (name: string) => string): string {
  const more = names.length > MOST ? ` and ${names.length - MOST} more` : ''
  return `${names.slice(0, MOST).map(quoted).join(', ')}${more}`
}
