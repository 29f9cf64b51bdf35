import { embedders } from '../models/embedders/index.ts'
import { readChoice, type Variant } from './choices.ts'
import { isMap, type Path, type Reading } from './reading.ts'

/**
 * A choice whose param `embedder` is a choice of its own: with that one read. `raw` is what the config has at `path`.
 * Undefined where something is wrong; that is then among the problems.
 */
export function withEmbedder(
  outer: Variant,
  raw: unknown,
  path: Path,
  reading: Reading,
): Pick<Variant, 'choice' | 'content'> | undefined {
  const [kind, params] = isMap(raw) ? (Object.entries(raw)[0] ?? []) : []
  if (kind === undefined || !isMap(params) || params.embedder === undefined) return outer
  const { list } = readChoice(params.embedder, [...path, kind, 'embedder'], { registry: embedders }, reading)
  if (list.length > 1)
    reading.problems.push({
      path: [...path, kind, 'embedder'],
      message: 'has no grid; name several that differ in it',
    })
  if (list.length !== 1) return undefined
  const [{ choice, content }] = list
  const embedder = { name: choice.name, params: choice.params }
  return {
    choice: { ...outer.choice, params: { ...outer.choice.params, embedder } },
    content: { ...outer.content, embedder: [choice.name, content] },
  }
}
