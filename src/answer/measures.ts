import { answerWords, containableAnswers, containsAnswer, rougeWords } from '../text/answers.ts'
import { ENGLISH, stopTokens, tokenize } from '../text/tokenize.ts'

/** An answer and the labels of its query. */
export interface JudgedAnswer {
  /** Without citations. */
  readonly text: string
  readonly refused: boolean
  /** From 1. */
  readonly cited: readonly number[]
  /** Citations of passages that there are not. */
  readonly wrong: number
  /** The texts that were sent. */
  readonly passages: readonly string[]
  /** True for each passage with gold; null if the query has none. */
  readonly gold: readonly boolean[] | null
  /** Right answers; any of them will do. */
  readonly references: readonly string[]
  /** Absent if the dataset has none. */
  readonly evidence?: readonly string[]
  readonly answerable: boolean
}

/** Inputs of a judge for one answer. */
export interface Judgeable extends JudgedAnswer {
  readonly question: string
  /** True if the retrieval or the model failed. */
  readonly failed: boolean
}

/** A mean over questions, each from 0 to 1. */
export interface AnswerMeasure {
  readonly name: string
  /** One line, for the docs. */
  readonly summary: string
  readonly source: string
  readonly better: 'higher' | 'lower'
  /** NaN if the query does not count. */
  value(answer: JudgedAnswer): number
}

const SQUAD = 'Rajpurkar et al., SQuAD, EMNLP 2016; Fisch et al., MRQA 2019'
const STOP = new Set(stopTokens(ENGLISH))

/** In the order of the tables. */
export const ANSWER_MEASURES: readonly AnswerMeasure[] = [
  {
    name: 'answer_em',
    summary: '1 if the answer equals a reference answer, normalised',
    source: SQUAD,
    better: 'higher',
    value: (answer) => best(answer, (a, b) => (a.join(' ') === b.join(' ') ? 1 : 0)),
  },

  /** 2 * shared / (words of one + words of the other), as multisets. */
  {
    name: 'answer_f1',
    summary: 'F1 of the words of the answer and of the nearest reference answer',
    source: SQUAD,
    better: 'higher',
    value: (answer) => best(answer, (a, b) => (2 * shared(a, b)) / (a.length + b.length)),
  },

  /** 2 * lcs / (words of one + words of the other). Articles count, and punctuation ends a word. */
  {
    name: 'answer_rouge_l',
    summary: 'F1 of the longest common subsequence of words with the nearest reference answer',
    source: 'Lin, ROUGE, ACL workshop 2004; as rouge_score: beta = 1, without stemming',
    better: 'higher',
    value: (answer) =>
      best(answer, (a, b) => (2 * commonSubsequence(a, b)) / (a.length + b.length), rougeWords),
  },

  /** Upper bound for an answerer that uses its context alone. */
  {
    name: 'answer_in_sent',
    summary: '1 if the sent context contains a reference answer',
    source: 'answer recall of the reader: Karpukhin et al., DPR, EMNLP 2020',
    better: 'higher',
    value({ references, answerable, passages }) {
      const wanted = containableAnswers(references)
      if (!answerable || wanted.length === 0) return Number.NaN
      return passages.some((text) => containsAnswer(answerWords(text).join(' '), wanted)) ? 1 : 0
    },
  },

  /** Finds made-up words, not misread ones. A refusal does not count. */
  {
    name: 'answer_grounded',
    summary: 'share of the words of the answer that the sent texts contain',
    source: 'Knowledge-F1 of Shuster et al., EMNLP 2021, precision only',
    better: 'higher',
    value({ text, refused, passages }) {
      const words = tokenize(text).filter((word) => !STOP.has(word))
      if (refused || words.length === 0) return Number.NaN
      const sent = new Set(passages.flatMap((passage) => tokenize(passage)))
      return words.filter((word) => sent.has(word)).length / words.length
    },
  },

  /** A citation of a missing passage holds no gold. */
  {
    name: 'citation_precision',
    summary: 'share of the cited passages that contain gold',
    source: 'after Gao et al., ALCE, EMNLP 2023, by labels in place of an entailment model',
    better: 'higher',
    value({ gold, cited, wrong }) {
      if (!gold || cited.length + wrong === 0) return Number.NaN
      return cited.filter((number) => gold[number - 1]).length / (cited.length + wrong)
    },
  },

  /** A refusal cites none. */
  {
    name: 'citation_recall',
    summary: 'share of the sent passages with gold that are cited',
    source: 'after Gao et al., ALCE, EMNLP 2023, by labels in place of an entailment model',
    better: 'higher',
    value({ gold, cited }) {
      const there = gold?.flatMap((holds, index) => (holds ? [index + 1] : [])) ?? []
      if (there.length === 0) return Number.NaN
      return there.filter((number) => cited.includes(number)).length / there.length
    },
  },

  {
    name: 'refused_unanswerable',
    summary: 'share of the unanswerable questions that are refused',
    source: 'Rajpurkar, Jia and Liang, SQuAD 2.0, ACL 2018',
    better: 'higher',
    value: ({ answerable, refused }) => (answerable ? Number.NaN : Number(refused)),
  },

  {
    name: 'refused_answerable',
    summary: 'share of the answerable questions that are refused; low is good',
    source: 'Rajpurkar, Jia and Liang, SQuAD 2.0, ACL 2018',
    better: 'lower',
    value: ({ answerable, refused }) => (answerable ? Number(refused) : Number.NaN),
  },
]

/** Best value over the references; NaN without references or an answer; 0 for a refusal. */
function best(
  { references, answerable, refused, text }: JudgedAnswer,
  of: (a: readonly string[], b: readonly string[]) => number,
  wordsOf: (text: string) => readonly string[] = answerWords,
) {
  const words = references.map(wordsOf).filter(({ length }) => length > 0)
  if (!answerable || words.length === 0) return Number.NaN
  if (refused) return 0
  const answer = wordsOf(text)
  return Math.max(...words.map((reference) => of(answer, reference)))
}

function shared(a: readonly string[], b: readonly string[]): number {
  const left = new Map<string, number>()
  for (const word of b) left.set(word, (left.get(word) ?? 0) + 1)
  let count = 0
  for (const word of a) {
    const there = left.get(word) ?? 0
    if (there === 0) continue
    left.set(word, there - 1)
    count++
  }
  return count
}

function commonSubsequence(a: readonly string[], b: readonly string[]): number {
  let above = new Uint32Array(b.length + 1)
  for (const word of a) {
    const row = new Uint32Array(b.length + 1)
    for (let column = 1; column <= b.length; column++)
      row[column] = word === b[column - 1] ? above[column - 1] + 1 : Math.max(above[column], row[column - 1])
    above = row
  }
  return above[b.length]
}
