import { answerers } from '../answer/answerers/index.ts'
import { judges } from '../answer/judges/index.ts'
import { ANSWER_MEASURES } from '../answer/measures.ts'
import { isMap } from '../text/json.ts'
import { didYouMean } from '../text/nearest.ts'
import { readChoice, withEmbedder } from './choices.ts'
import type { Answering, Judging } from './experiment.ts'
import { trialName } from './names.ts'
import { type Problem, type Reading, refuse } from './reading.ts'

export function readAnswerers(raw: unknown, reading: Reading): Answering[] {
  if (raw === undefined) return []
  const list = Array.isArray(raw) ? raw : [raw]
  if (list.length === 0)
    refuse(reading.problems, ['answer'], 'the list is empty; name an answerer, or leave `answer` out')
  const found = new Map<string, Answering>()
  list.forEach((one, index) => {
    const path = Array.isArray(raw) ? ['answer', index] : ['answer']
    for (const { choice, content, varied, label } of readChoice(
      one,
      path,
      { registry: answerers },
      reading,
    )) {
      const name = trialName(list.length > 1 ? label : choice.name, varied)
      const same = found.get(name)
      if (same) refuse(reading.problems, path, `another answerer has the name \`${name}\``)
      else found.set(name, { name, choice, content: [choice.name, content] })
    }
  })
  return [...found.values()]
}

export function readJudges(raw: unknown, answering: boolean, reading: Reading): Judging[] {
  const { problems } = reading
  if (raw === undefined) return []
  const list = Array.isArray(raw) ? raw : [raw]
  if (!answering) refuse(problems, ['judge'], 'judges answers, and there is no `answer`', 'key')
  else if (list.length === 0)
    refuse(problems, ['judge'], 'the list is empty; name a judge, or leave `judge` out')
  const kindOf = (one: unknown) => (isMap(one) ? Object.keys(one)[0] : one)
  const found = new Map<string, Judging>()
  list.forEach((one, index) => {
    const path = Array.isArray(raw) ? ['judge', index] : ['judge']
    const several = list.filter((other) => kindOf(other) === kindOf(one)).length > 1
    for (const variant of readChoice(one, path, { registry: judges }, reading)) {
      const read = withEmbedder(variant, one, path, reading)
      if (!read) continue
      const { choice, content } = read
      const name = trialName(several ? variant.label : choice.name, variant.varied)
      const same = found.get(name)
      if (same) refuse(problems, path, `another judge has the name \`${name}\``)
      else found.set(name, { name, choice, content: [choice.name, content] })
    }
  })
  return [...found.values()]
}

export function checkComparedAnswers(
  by: string | undefined,
  judging: readonly Judging[],
  answering: readonly Answering[],
  problems: Problem[],
): void {
  if (by === undefined) return
  const names = [...ANSWER_MEASURES, ...judging].map(({ name }) => name)
  const path = ['compare', 'answers']
  if (answering.length === 0) refuse(problems, path, 'compares answers, and there is no `answer`', 'key')
  else if (!names.includes(by))
    refuse(
      problems,
      path,
      `\`${by}\` is no measure of answers and no judge of this config${didYouMean(by, names)}; there are ${names.join(', ')}`,
    )
}
