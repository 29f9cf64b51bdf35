import { answerers } from '../answer/answerers/index.ts'
import { readChoice } from './choices.ts'
import type { Answering } from './experiment.ts'
import { trialName } from './names.ts'
import type { Reading } from './reading.ts'

/** Reads `answer`: one answerer or a list of them, each with its grid. */
export function readAnswerers(raw: unknown, reading: Reading): Answering[] {
  if (raw === undefined) return []
  const list = Array.isArray(raw) ? raw : [raw]
  if (list.length === 0) reading.problems.push({ path: ['answer'], message: 'the list is empty' })
  const found = new Map<string, Answering>()
  list.forEach((one, index) => {
    const path = Array.isArray(raw) ? ['answer', index] : ['answer']
    for (const { choice, content, varied, label } of readChoice(one, path, { registry: answerers }, reading)
      .list) {
      const name = trialName(list.length > 1 ? label : choice.name, varied)
      const same = found.get(name)
      if (same) reading.problems.push({ path, message: `another answerer has the name \`${name}\`` })
      else found.set(name, { name, choice, content: [choice.name, content] })
    }
  })
  return [...found.values()]
}
