import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { quickstart, records } from '../../scripts/worlds/quickstart.ts'
import { SEED } from '../../scripts/worlds/worlds.ts'
import { createAnalyzer } from '../../src/text/tokenize.ts'

const tracked = resolve(import.meta.dirname, '../../datasets/quickstart')
const read = (path: string) => readFileSync(join(tracked, path), 'utf8')
const { passages, asked } = records(SEED, 1)
const of = (category: string) => asked.filter((question) => question.category === category)
const holds = ({ title, text }: { readonly title: string; readonly text: string }, words: string) =>
  new RegExp(`(?<![\\w-])${words.replaceAll('.', '\\.')}(?![\\w-])`, 'i').test(`${title} ${text}`)

describe("the quickstart's world", () => {
  test('is what the generator writes, byte for byte, and another seed is another world', () => {
    for (const [path, text] of Object.entries(quickstart(SEED))) expect(read(path), path).toBe(text)
    expect(quickstart(SEED + 1)['corpus.jsonl']).not.toBe(read('corpus.jsonl'))
  })

  test('has at most 600 passages and at least 200 questions in five categories, none twice', () => {
    expect(passages.length).toBeLessThanOrEqual(600)
    expect(asked.length).toBeGreaterThanOrEqual(200)
    expect(new Set(asked.map(({ category }) => category)).size).toBe(5)
    expect(new Set(passages.map(({ title }) => title)).size).toBe(passages.length)
    expect(new Set(passages.map(({ text }) => text)).size).toBe(passages.length)
  })

  test('has no two questions that share a gold passage', () => {
    const gold = asked.flatMap((question) => question.gold)
    expect(new Set(gold).size).toBe(gold.length)
  })

  test('has the counts of its README', () => {
    const readme = read('README.md')
    const rows = [...readme.matchAll(/^\| (\w+) \| (\d+) \|/gm)]
    expect(rows.map(([, category, count]) => [category, Number(count)])).toEqual(
      [...new Set(asked.map(({ category }) => category))].map((category) => [category, of(category).length]),
    )
    expect(readme).toContain(`${passages.length} passages`)
    expect(readme).toContain(`${asked.length} questions`)
  })

  test('answers each question in its gold, and a code, a story and a maker nowhere else', () => {
    for (const { text, category, gold, answers = [] } of asked)
      for (const answer of answers)
        expect(
          gold.some((passage) => holds(passage, answer)),
          `${category}: ${text} ${answer}`,
        ).toBe(true)
    const subjects = {
      code: /K-\d+/,
      comparison: /Mount \w+/,
      bridge: /Ballad of \w+|\w+ (?:Light|Bridge|Pippin)/,
    }
    for (const [category, pattern] of Object.entries(subjects))
      for (const { text, gold, answers = [] } of of(category)) {
        const subject = pattern.exec(text)?.[0]
        if (subject === undefined) continue
        const others = passages.filter(
          (passage) =>
            !gold.includes(passage) &&
            holds(passage, subject) &&
            answers.some((answer) => holds(passage, answer)),
        )
        // A walk names a peak, but no height.
        expect(
          others.filter(({ metadata }) => metadata?.kind !== 'walk'),
          text,
        ).toEqual([])
      }
  })

  test('has paraphrases that share no word but the town with their gold', () => {
    const terms = createAnalyzer()
    for (const { text, gold } of of('paraphrase')) {
      const [, town] = / at (\w+) /.exec(text) ?? []
      const goldTerms = new Set(terms(`${gold[0].title} ${gold[0].text}`))
      expect(
        terms(text.replace(town, '')).filter((term) => goldTerms.has(term)),
        text,
      ).toEqual([])
    }
  })
})

test('a larger world repeats no title, has its ids in byte order, and as many questions as wanted', () => {
  const world = quickstart(11, 4, 100)
  const rows = (path: string) =>
    world[path]
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { _id: string; title: string })
  const corpus = rows('corpus.jsonl')
  expect(corpus.length).toBe(4 * passages.length)
  expect(new Set(corpus.map(({ title }) => title)).size).toBe(corpus.length)
  expect(corpus.map(({ _id }) => _id).sort()).toEqual(corpus.map(({ _id }) => _id))
  expect(rows('queries.jsonl')).toHaveLength(100)
  expect(quickstart(11, 4, 100)).toEqual(world)
})
