import type { Definition } from '../registry.ts'
import { isMap } from '../text/json.ts'
import { show } from '../text/schema-words.ts'
import type { Json } from '../types.ts'
import { eachItem, readPoints, type Varying } from './choices.ts'
import type { Path, Reading } from './reading.ts'

/** A key of a trial that says how its searches run. */
export interface TrialKey<T> extends Definition {
  /** For messages. */
  readonly form: string
  /** Label in a trial's name. `varied`: params that the config varies. */
  readonly labelOf: (value: T, varied: readonly string[]) => string
}

/** An alternative; without a value, the key has no effect. */
export interface KeyWay<T> extends Varying {
  readonly value?: T
  /** For a trial's id. */
  readonly content: Json
}

/** Reads the alternatives at a key: one, or each of `{grid: [one, none]}` and `{grid: {label: one}}`. */
export function readTrialKey<T>(
  raw: unknown,
  path: Path,
  key: TrialKey<T>,
  reading: Reading,
): readonly KeyWay<T>[] {
  const none: KeyWay<T> = { label: 'none', content: null, varied: {} }
  if (raw === undefined) return [none]
  const isOne = isMap(raw) && Object.keys(key.params.shape).some((param) => param in raw)
  return eachItem(raw, path, { key: key.name, isOne }, reading, (item, at) => {
    if (item === 'none') return [none]
    if (!isMap(item)) {
      reading.problems.push({ path: at, message: `${key.form}, or \`none\`, not ${show(item)}` })
      return []
    }
    return readPoints(key, item, at, reading).map(({ choice, content, varied }) => {
      const value = choice.params as T
      const named = Object.entries(varied).map(([param, one]) => [`${key.name}.${param}`, one])
      return {
        value,
        label: key.labelOf(value, Object.keys(varied)),
        content,
        varied: Object.fromEntries(named),
      }
    })
  })
}
