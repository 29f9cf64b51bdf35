import { isMap, parseJson } from '../text/json.ts'

const isRelevant = (name: string) => /^relevant$/i.test(name)
const isOther = (name: string) => /^(?:ir|non[-_ ]?|not[-_ ]?)relevant$/i.test(name)

/**
 * Names of classes (`ClassLabel`) by column, from the schema that Hugging Face writes into a table; the column has their numbers in
 * this list, which are no grades. Classes called relevant and irrelevant are the grades 1 and 0.
 */
export function classNames(schema: string | undefined): ReadonlyMap<string, readonly (string | number)[]> {
  const { value } = parseJson(schema ?? '{}')
  const { info } = isMap(value) ? value : {}
  const { features } = isMap(info) ? info : {}
  return new Map(
    Object.entries(isMap(features) ? features : {}).flatMap(([column, feature]) => {
      const { names } = isMap(feature) && feature._type === 'ClassLabel' ? feature : {}
      if (!Array.isArray(names)) return []
      const isGrade = names.every((name) => isRelevant(name) || isOther(name))
      return [[column, isGrade ? names.map((name) => (isRelevant(name) ? 1 : 0)) : names]]
    }),
  )
}

export function className(value: unknown, names: readonly (string | number)[]): string | number | null {
  return names[Number(value ?? -1)] ?? null
}
