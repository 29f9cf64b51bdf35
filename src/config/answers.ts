import { answerers } from '../answer/answerers/index.ts'
import { judges } from '../answer/judges/index.ts'
import { ANSWER_MEASURES } from '../answer/measures.ts'
import type { Definition, Registry } from '../registry.ts'
import { isMap } from '../text/json.ts'
import { didYouMean } from '../text/nearest.ts'
import { withArticle } from '../text/schema-words.ts'
import { readChoice, trialName, withEmbedder } from './choices.ts'
import type { NamedChoice } from './experiment.ts'
import { type Problem, type Reading, refuse } from './reading.ts'

export function readAnswerers(raw: unknown, reading: Reading): NamedChoice[] {
  return readList('answer', raw, answerers, reading)
}

export function readJudges(raw: unknown, answering: boolean, reading: Reading): NamedChoice[] {
  if (raw !== undefined && !answering)
    refuse(reading.problems, ['judge'], 'judges answers, and there is no `answer`', 'key')
  return readList('judge', raw, judges, reading)
}

/** Choices of one entry or a list, each with its grid. A name has the params where it would not be unique without. */
function readList(
  key: 'answer' | 'judge',
  raw: unknown,
  registry: Registry<Definition>,
  reading: Reading,
): NamedChoice[] {
  const { problems } = reading
  const word = key === 'answer' ? 'answerer' : 'judge'
  const list = Array.isArray(raw) ? raw : raw === undefined ? [] : [raw]
  if (Array.isArray(raw) && list.length === 0)
    refuse(problems, [key], `the list is empty; name ${withArticle(word)}, or leave \`${key}\` out`)
  const kindOf = (item: unknown) => (isMap(item) ? Object.keys(item)[0] : item)
  const choices = new Map<string, NamedChoice>()
  list.forEach((item, index) => {
    const path = Array.isArray(raw) ? [key, index] : [key]
    const rivals = key === 'answer' ? list : list.filter((other) => kindOf(other) === kindOf(item))
    for (const variant of readChoice(item, path, { registry }, reading)) {
      const read = withEmbedder(variant, item, path, reading)
      if (!read) continue
      const { choice, content } = read
      const name = trialName(rivals.length > 1 ? variant.label : choice.name, variant.varied)
      if (choices.has(name)) refuse(problems, path, `another ${word} has the name \`${name}\``)
      else choices.set(name, { name, choice, content: [choice.name, content] })
    }
  })
  return [...choices.values()]
}

export function checkComparedAnswers(
  by: string | undefined,
  judging: readonly NamedChoice[],
  answering: readonly NamedChoice[],
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
