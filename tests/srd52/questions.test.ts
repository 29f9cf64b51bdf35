import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Overlap, overlapOf } from '../../scripts/srd52/overlap.ts'
import {
  CATEGORIES,
  FOLDER,
  type Question,
  readingOf,
  readQuestions,
  readVerdicts,
} from '../../scripts/srd52/questions.ts'
import { rulebookTexts } from '../../scripts/srd52/texts.ts'
import { trapRanks } from '../../scripts/srd52/traps.ts'
import { problemsOf } from '../../scripts/srd52/verify-questions.ts'
import { describeShared, shared } from '../shared.ts'

const questions = readQuestions()

test('the README counts the questions of each category', () => {
  const readme = readFileSync(join(FOLDER, 'README.md'), 'utf8')
  const rows = [...readme.matchAll(/^\| ([\w-]+) \| (\d+) \|/gm)].map(([, name, count]) => [
    name,
    Number(count),
  ])
  const counts = Object.keys(CATEGORIES).map((category) => [
    category,
    questions.filter(({ metadata }) => metadata.category === category).length,
  ])
  expect(rows).toEqual(counts)
  expect(readme).toContain(`${questions.length} questions`)
})

test('a trap is stepped into where the wrong passage stands above the gold', () => {
  const place = (file: string, quote: string) => ({ file, headings: ['A'], quote })
  const trap = {
    gold: [place('a', 'right here'), place('b', 'right there')],
    trap: [place('a', 'wrong one')],
  }
  const chunk = (documentId: string, text: string) => ({ documentId, text })
  const ranking = [chunk('b', 'the wrong one'), chunk('a', 'the wrong\none'), chunk('b', 'right there.')]
  expect(trapRanks(trap, ranking)).toEqual({ gold: 3, wrong: 2 })
  expect(trapRanks(trap, ranking.slice(0, 1))).toEqual({ gold: Infinity, wrong: Infinity })
})

describeShared('the questions over the rulebook', () => {
  const loaded = rulebookTexts(shared('data/srd52/src'))

  test('are in order: every quote once in its file, below its headings, every question checked', async () => {
    expect(problemsOf(questions, readVerdicts(), await loaded)).toEqual([])
  })

  test('informal ones share few words with their gold, traps as many with a wrong passage as with the gold', async () => {
    const texts = await loaded
    const overlaps = new Map(questions.map((question) => [question, overlapOf(question, texts)]))
    const of = (question: Question) => overlaps.get(question) as Overlap
    const mean = (category: string, pick: (question: Question) => number) => {
      const own = questions.filter(({ metadata }) => metadata.category === category).map(pick)
      return own.reduce((sum, value) => sum + value, 0) / own.length
    }
    expect(mean('informal', (question) => of(question).sections)).toBeLessThan(0.25)
    const gap = (question: Question) => {
      const { sections, trap } = of(question)
      return sections - (trap ?? 0)
    }
    expect(mean('trap', gap)).toBeLessThan(0.1)
    for (const question of questions) expect(of(question).run, question._id).toBeLessThan(10)
  })

  const first = questions[0]
  const [gold] = first.gold
  const wrong: Record<string, [Partial<Question>, string]> = {
    'an unknown category': [{ metadata: { category: 'riddle' } }, 'unknown category "riddle"'],
    'an id of another category': [{ _id: 'trap-99' }, 'does not begin with'],
    'no gold': [{ gold: [] }, 'has no gold'],
    'a quote that is not there': [
      { gold: [{ ...gold, quote: 'the moon is cheese' }] },
      'holds the quote 0 times',
    ],
    'a quote that is there often': [{ gold: [{ ...gold, quote: 'the' }] }, 'holds the quote'],
    'another section': [{ gold: [{ ...gold, headings: gold.headings.slice(0, 1) }] }, 'not below'],
    'another file': [{ gold: [{ ...gold, file: 'none.md' }] }, 'there is no file none.md'],
    'a trap where none belongs': [{ trap: [gold] }, 'a trap, and only a trap'],
    'a long quote': [{ gold: [{ ...gold, quote: 'x'.repeat(301) }] }, 'is too long'],
    'another wording': [{ text: 'Another question?' }, 'was changed after it was checked'],
  }
  test.each(Object.entries(wrong))('%s is a problem', async (_, [change, said]) => {
    const problems = problemsOf([{ ...first, ...change }], readVerdicts(), await loaded)
    expect(problems.some((problem) => problem.includes(said))).toBe(true)
  })

  test('so are a question asked twice, one not checked, and one that its gold does not answer', async () => {
    const texts = await loaded
    expect(problemsOf([first, first], readVerdicts(), texts).join()).toMatch(/id is taken.*asked twice/)
    expect(problemsOf([first], [], texts)).toEqual([`${first._id}: has not been checked by reading`])
    const no = [{ _id: first._id, read: readingOf(first), answers: false }]
    expect(problemsOf([first], no, texts)).toEqual([
      `${first._id}: its gold does not answer it, says the check by reading`,
    ])
  })
})
