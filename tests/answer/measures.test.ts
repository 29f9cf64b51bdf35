import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ANSWER_MEASURES, type JudgedAnswer } from '../../src/answer/measures.ts'

const answer = (more: Partial<JudgedAnswer>): JudgedAnswer => ({
  text: '',
  refused: false,
  cited: [],
  wrong: 0,
  passages: [],
  gold: null,
  references: [],
  answerable: true,
  ...more,
})
const measure = (name: string, more: Partial<JudgedAnswer>) =>
  ANSWER_MEASURES.find((measure) => measure.name === name)?.value(answer(more))

describe('answers beside references', () => {
  // From SQuAD's own evaluation script: normalize_answer, then f1_score and exact_match_score.
  test.each([
    ['The Broncos!', ['Denver Broncos', 'broncos'], 1, 1],
    ['Denver Broncos of 2015', ['Denver Broncos', 'The Denver Broncos'], 0, (2 * 2) / 6],
    ['in 1066', ['1066'], 0, 2 / 3],
    ['1067', ['1066'], 0, 0],
    ['yes yes', ['yes'], 0, 2 / 3],
    ['', ['1066'], 0, 0],
  ])('%j beside %j', (text, references, em, f1) => {
    expect(measure('answer_em', { text, references })).toBe(em)
    expect(measure('answer_f1', { text, references })).toBeCloseTo(f1, 12)
  })

  // Values of Google's rouge_score 0.1.2, `rougeL` without stemming.
  test.each([
    ['The cat sat on the mat.', 'the cat is on the mat', 10 / 12],
    ['a dog', 'dog', 2 / 3],
    ['the', 'a', 0],
    ['U.S. Senate', 'US senate', 2 / 5],
    ['in 1066, a war', 'the war in 1066', 1 / 2],
    ['cat_on mats', 'a cat sat on mats', 3 / 4],
  ])('ROUGE-L of %j beside %j is that of rouge_score', (text, reference, value) => {
    expect(measure('answer_rouge_l', { text, references: [reference] })).toBeCloseTo(value, 12)
  })

  test('questions without reference or answer do not count, refusals are wrong', () => {
    expect(measure('answer_f1', { text: 'a', references: [] })).toBeNaN()
    // An article alone is no word, so that it is no reference.
    expect(measure('answer_em', { text: '', references: ['the'] })).toBeNaN()
    expect(measure('answer_em', { text: 'the', references: ['the', 'x'] })).toBe(0)
    expect(measure('answer_f1', { text: 'b', references: ['b'], answerable: false })).toBeNaN()
    expect(measure('answer_f1', { text: 'b', references: ['b'], refused: true })).toBe(0)
  })

  test('all are from 0 to 1 or do not count', () => {
    const any = fc.record({
      text: fc.string(),
      refused: fc.boolean(),
      cited: fc.uniqueArray(fc.integer({ min: 1, max: 3 })),
      wrong: fc.nat(3),
      passages: fc.constant(['salt is raked', 'peat', 'bees']),
      gold: fc.option(fc.constant([true, false, true])),
      references: fc.array(fc.string()),
      answerable: fc.boolean(),
    })
    fc.assert(
      fc.property(any, (outcome) => {
        for (const { name, value } of ANSWER_MEASURES) {
          const measured = value(outcome)
          expect(Number.isNaN(measured) || (measured >= 0 && measured <= 1), `${name} is ${measured}`).toBe(
            true,
          )
        }
      }),
    )
  })
})

describe('answers beside what was sent', () => {
  const passages = ['Salt\nSalt is raked from pans in August.', 'Peat\nPeat is cut in May.']

  test('whether it holds the reference, as whole words', () => {
    expect(measure('answer_in_sent', { passages, references: ['in August'] })).toBe(1)
    expect(measure('answer_in_sent', { passages, references: ['Augustus', 'pan'] })).toBe(0)
    expect(measure('answer_in_sent', { passages, references: ['yes'] })).toBeNaN()
    expect(measure('answer_in_sent', { passages: ['首都是北京。'], references: ['北京'] })).toBe(1)
  })

  test('the share of words that stand there, without stop words', () => {
    expect(measure('answer_grounded', { text: 'It is raked in August', passages })).toBe(1)
    expect(measure('answer_grounded', { text: 'raked by monks', passages })).toBe(1 / 2)
    expect(measure('answer_grounded', { text: 'the', passages })).toBeNaN()
    expect(measure('answer_grounded', { text: 'peat', passages })).toBe(1)
    expect(measure('answer_grounded', { text: 'gold', passages })).toBe(0)
    expect(measure('answer_grounded', { text: 'gold', passages, refused: true })).toBeNaN()
  })

  test('citations by the gold of their passages', () => {
    const gold = [true, false, true]
    expect(measure('citation_precision', { gold, cited: [1, 2] })).toBe(1 / 2)
    expect(measure('citation_precision', { gold, cited: [1], wrong: 3 })).toBe(1 / 4)
    expect(measure('citation_precision', { gold, cited: [3] })).toBe(1)
    expect(measure('citation_precision', { gold, cited: [1], wrong: 1 })).toBe(1 / 2)
    expect(measure('citation_precision', { gold, wrong: 1 })).toBe(0)
    expect(measure('citation_precision', { gold })).toBeNaN()
    expect(measure('citation_precision', { gold: null, cited: [1] })).toBeNaN()
    expect(measure('citation_recall', { gold, cited: [1, 2] })).toBe(1 / 2)
    expect(measure('citation_recall', { gold: [false, true], cited: [1] })).toBe(0)
    expect(measure('citation_recall', { gold: [false, true], cited: [2] })).toBe(1)
    expect(measure('citation_recall', { gold: [false], cited: [1] })).toBeNaN()
  })

  test('refusals, apart by whether there is an answer', () => {
    expect(measure('refused_unanswerable', { answerable: false, refused: true })).toBe(1)
    expect(measure('refused_unanswerable', { answerable: true, refused: true })).toBeNaN()
    expect(measure('refused_answerable', { answerable: true, refused: true })).toBe(1)
    expect(measure('refused_answerable', { answerable: false, refused: false })).toBeNaN()
  })
})
