import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A question of a generated world with an answer that is right and one that is wrong, by construction. */
export interface Pair {
  readonly question: string
  readonly references: readonly string[]
  readonly right: string
  readonly wrong: string
  /** Gold passages of the question, and of the question that the wrong answer is right for. */
  readonly passages: readonly string[]
  readonly others: readonly string[]
}

/** Lines of a judge's `labels` file. */
export interface LabelledLine {
  readonly question: string
  readonly answer: string
  readonly references?: readonly string[]
  readonly passages?: readonly string[]
  readonly against?: string
  readonly label: 0 | 1
}

/** Worlds with reference answers, and half of the pairs of each. */
const WORLDS = ['datasets/systems/six-strategies', 'datasets/quickstart']
const HALF = 50
/** Categories whose answer is one name, number or thing. */
const CATEGORIES = new Set(
  'fact entity link bridge2 bridge3 comparison relationship'.split(' ').concat('three pages'),
)

interface Asked {
  readonly _id: string
  readonly text: string
  readonly metadata: { readonly category: string; readonly answers?: readonly string[] }
}

/**
 * 100 pairs, one world after the other in turn. The wrong answer is the right one to the next question of the same category
 * that begins with the same words, so it is of the right kind; both stand in the same sentence, so neither is longer for another reason.
 */
export function answerPairs(root: string): Pair[] {
  const worlds = WORLDS.map((world) => pairsOf(join(root, world)))
  return Array.from({ length: HALF }, (_, index) => worlds.map((pairs) => pairs[index])).flat()
}

function pairsOf(folder: string): Pair[] {
  const rows = <T>(file: string) =>
    readFileSync(join(folder, file), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as T)
  const passages = new Map(
    rows<{ _id: string; title: string; text: string }>('corpus.jsonl').map(({ _id, title, text }) => [
      _id,
      `${title}. ${text}`,
    ]),
  )
  const labels = readFileSync(join(folder, 'qrels/test.tsv'), 'utf8').split('\n')
  const goldOf = ({ _id }: Asked) =>
    labels
      .map((line) => line.split('\t'))
      .filter(([query]) => query === _id)
      .map(([, passage]) => passages.get(passage) as string)
  const asked = rows<Asked>('queries.jsonl').filter(
    ({ metadata: { category, answers } }) => CATEGORIES.has(category) && answers?.length,
  )
  const answerOf = ({ metadata: { answers = [] } }: Asked) => answers[0]
  const kindOf = ({ text, metadata }: Asked) =>
    `${metadata.category} ${text.split(' ').slice(0, 2).join(' ')}`
  const other = (one: Asked) => {
    const alike = asked.filter((each) => kindOf(each) === kindOf(one) && answerOf(each) !== answerOf(one))
    return alike.find(({ _id }) => _id > one._id) ?? alike[0]
  }
  const paired = asked.filter((one) => other(one) !== undefined)
  return Array.from({ length: HALF }, (_, index) => {
    const one = paired[Math.floor((index * paired.length) / HALF)]
    const next = other(one)
    return {
      ...{ question: one.text, references: one.metadata.answers ?? [] },
      ...{ right: `It is ${answerOf(one)}.`, wrong: `It is ${answerOf(next)}.` },
      ...{ passages: goldOf(one), others: goldOf(next) },
    }
  })
}

export type Labelling = 'answers' | 'pairs' | 'passages' | 'relevance'

/** Labels of a judge from the first `count` pairs. */
export const LABELS: Readonly<Record<Labelling, (pair: Pair, index: number) => LabelledLine[]>> = {
  /** The answer is right, or wrong. */
  answers: (pair: Pair) =>
    ([1, 0] as const).map((label) => ({
      ...{ question: pair.question, references: pair.references, passages: pair.passages, label },
      answer: label ? pair.right : pair.wrong,
    })),
  /** The answer is better than the other, or worse. */
  pairs: (pair: Pair, index: number) => {
    const label = index % 2 === 0 ? 1 : 0
    const [answer, against] = label ? [pair.right, pair.wrong] : [pair.wrong, pair.right]
    return [{ question: pair.question, answer, against, label }]
  },
  /** The passages hold the reference answer, or another question's. */
  passages: (pair: Pair) =>
    ([1, 0] as const).map((label) => ({
      ...{ question: pair.question, references: pair.references.slice(0, 1), answer: pair.right, label },
      passages: label ? pair.passages : pair.others,
    })),
  /** The answer speaks of the question, or says nothing. */
  relevance: (pair: Pair) =>
    ([1, 0] as const).map((label) => ({
      ...{ question: pair.question, references: pair.references, label },
      answer: label ? pair.right : 'That depends on many things, and it is hard to say.',
    })),
}
