import type { Choice } from '../corpus/recipe.ts'
import { find } from '../registry.ts'
import { engineKinds } from '../retrieve/steps/engine.ts'
import { show } from '../text/schema-words.ts'
import type { Json } from '../types.ts'
import { readChoice } from './choices.ts'
import { propertiesOf } from './explain.ts'
import type { NamedChoices } from './model-names.ts'
import { isMap, type Reading } from './reading.ts'

/** Reads `engines`: names, each with a kind and its params. The content of an engine leaves out its place. */
export function readEngines(raw: unknown, reading: Reading): NamedChoices {
  const { problems } = reading
  const found = new Map<string, { choice: Choice; content: Json }>()
  if (raw === undefined) return found
  if (!isMap(raw)) {
    const message = `must be a map of names to engines, as {search: {opensearch: {analyzer: english}}}, not ${show(raw)}`
    problems.push({ path: ['engines'], message })
    return found
  }
  for (const [name, given] of Object.entries(raw)) {
    const path = ['engines', name]
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$/.test(name))
      problems.push({
        path,
        on: 'key',
        message: 'an engine is named by letters, digits, `.`, `_` and `-`, at most 50',
      })
    const { list } = readChoice(given, path, { registry: engineKinds }, reading)
    if (list.length > 1)
      problems.push({ path, message: 'has no grid; name several, and vary the `engine` of a strategy' })
    if (list.length !== 1) continue
    const [{ choice }] = list
    const properties = new Map(propertiesOf(find(engineKinds, choice.name).params))
    const isPlace = (param: string) => properties.get(param)?.place === true
    const params = Object.entries(choice.params).filter(([param]) => !isPlace(param))
    found.set(name, { choice, content: [choice.name, Object.fromEntries(params)] })
  }
  return found
}
