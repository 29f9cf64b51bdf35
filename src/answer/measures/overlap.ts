import { answerWords, rougeWords } from '../../text/answers.ts'
import type { AnswerMeasure, JudgedAnswer } from './define.ts'

const SQUAD = 'Rajpurkar et al., SQuAD, EMNLP 2016; Fisch et al., MRQA 2019'

/** Best value over all references; NaN without references or without an answer; 0 for a refusal. */
function best(
  { references, answerable, refused, text }: JudgedAnswer,
  of: (a: readonly string[], b: readonly string[]) => number,
  wordsOf: (text: string) => readonly string[] = answerWords,
) {
  const words = references.map(wordsOf).filter(({ length }) => length > 0)
  if (!answerable || words.length === 0) return Number.NaN
  if (refused) return 0
  const own = wordsOf(text)
  return Math.max(...words.map((reference) => of(own, reference)))
}

/** 1 if the answer and a reference have the same words in the same order. */
export const exactMatch: AnswerMeasure = {
  name: 'answer_em',
  summary: '1 if the answer equals a reference answer, normalised',
  source: SQUAD,
  better: 'higher',
  value: (answer) => best(answer, (a, b) => (a.join(' ') === b.join(' ') ? 1 : 0)),
}

/** F1 of the words of answer and reference as multisets: 2 * shared / (words of one + words of the other). */
export const f1: AnswerMeasure = {
  name: 'answer_f1',
  summary: 'F1 of the words of the answer and of the nearest reference answer',
  source: SQUAD,
  better: 'higher',
  value: (answer) => best(answer, (a, b) => (2 * shared(a, b)) / (a.length + b.length)),
}

/**
 * ROUGE-L: F1 of the longest common subsequence of words: 2 * lcs / (words of one + words of the other). Words are ROUGE's:
 * articles count, and punctuation ends a word.
 */
export const rougeL: AnswerMeasure = {
  name: 'answer_rouge_l',
  summary: 'F1 of the longest common subsequence of words with the nearest reference answer',
  source: 'Lin, ROUGE, ACL workshop 2004; as rouge_score: beta = 1, without stemming',
  better: 'higher',
  value: (answer) =>
    best(answer, (a, b) => (2 * commonSubsequence(a, b)) / (a.length + b.length), rougeWords),
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

/** Length of the longest common subsequence, by rows of the usual table. */
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
