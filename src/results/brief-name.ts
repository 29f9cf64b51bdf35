import type { Json } from '../types.ts'

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
