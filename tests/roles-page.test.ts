import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { answerPairs, LABELS } from '../scripts/roles/labels.ts'
import { answererOf, type Measured } from '../scripts/roles/measure.ts'
import { rolesPage } from '../scripts/roles/page.ts'

const root = resolve(import.meta.dirname, '..')
const read = (file: string) => readFileSync(resolve(root, 'docs/evidence', file), 'utf8')

test('the page of the roles is made of what was measured', () => {
  const measured: Measured = JSON.parse(read('roles.json'))
  expect(read('roles.md')).toBe(rolesPage(measured))
  expect(read('roles.md')).not.toMatch(/Infinity|NaN|undefined/)
})

test('prompts of answers are compared with the shipped one, apart from the effects of roles', () => {
  const measured: Measured = JSON.parse(read('roles.json'))
  const effects = ['cited', 'answer_f1', 'citation_recall'].map((measure) => ({
    ...{ role: 'cited-prompts', set: 'world', model: '0.5b', passages: 95, n: 100, changed: 20, measure },
    ...{ now: 'llm prompt=cited-example.md', before: 'llm prompt=answer.md' },
    ...{ means: [0.65, 0.8] as const, difference: 0.15, low: 0.05, high: 0.25 },
  }))
  const others = <T extends { readonly role: string }>(all: readonly T[]) =>
    all.filter(({ role }) => role !== 'cited-prompts')
  const page = rolesPage({
    ...measured,
    prompts: others(measured.prompts),
    effects: [...others(measured.effects), ...effects],
  })
  const added = page.split('\n').filter((line) => line.includes('cited-example.md'))
  expect(added).toEqual([
    `| \`cited-example.md\` | 0.5b | guilds, 100 questions | - |${' 65.0 | 80.0 | +15.0 [+5.0, +25.0] |'.repeat(3)}`,
  ])
})

test('the labelled pairs have a right and a wrong answer of equal form, and both orders', () => {
  const pairs = answerPairs(root)
  expect(pairs).toHaveLength(100)
  expect(new Set(pairs.map(({ question }) => question)).size).toBe(100)
  for (const { right, wrong, references, passages } of pairs) {
    expect(references.map((reference) => `It is ${reference}.`)).toContain(right)
    expect(references.map((reference) => `It is ${reference}.`)).not.toContain(wrong)
    expect(passages.length).toBeGreaterThan(0)
  }
  const labels = pairs.flatMap((pair, index) => LABELS.pairs(pair, index)).map(({ label }) => label)
  expect(labels.filter((label) => label === 1)).toHaveLength(50)
})

test('an answerer is found by its kind, not by the beginning of its name', () => {
  const names = ['extractive top=3', 'llm-cited top=3', 'llm(model=m) top=3']
  expect(answererOf(names, 'llm')).toBe('llm(model=m) top=3')
  const prompts = ['llm prompt=answer.md', 'llm prompt=cited-example.md']
  expect(answererOf(prompts, 'llm prompt=cited-example.md')).toBe('llm prompt=cited-example.md')
  expect(() => answererOf(names, 'map-reduce')).toThrow('0 answerers are of kind map-reduce')
  expect(() => answererOf([...names, 'llm top=5'], 'llm')).toThrow('2 answerers are of kind llm')
})
