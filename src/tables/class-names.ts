import { isMap } from '../text/json.ts'

/** Grades of classes whose names say them. */
const GRADES = new Map([
  ['relevant', 1],
  ['irrelevant', 0],
  ['nonrelevant', 0],
  ['notrelevant', 0],
] as const)

/**
 * Names of classes (`ClassLabel`) by column, from the schema that Hugging Face writes into a table; the column has their numbers in
 * this list, which are no grades. Classes called relevant and irrelevant are their grades.
 */
export function classNames(schema: string | undefined): ReadonlyMap<string, readonly (string | number)[]> {
  let features: unknown
  try {
    features = JSON.parse(schema ?? '{}').info?.features
  } catch {
    // A key of another program.
  }
  return new Map(
    Object.entries(isMap(features) ? features : {}).flatMap(([column, feature]) => {
      const { names } = isMap(feature) && feature._type === 'ClassLabel' ? feature : {}
      if (!Array.isArray(names)) return []
      const grades = names.map((name) =>
        GRADES.get(
          String(name)
            .toLowerCase()
            .replace(/[^a-z]/g, '') as 'relevant',
        ),
      )
      return [[column, grades.includes(undefined) ? names : (grades as number[])]]
    }),
  )
}

/** Name of a class by its number; null if it has none. */
export function className(value: unknown, names: readonly (string | number)[]): string | number | null {
  return names[Number(value ?? -1)] ?? null
}
