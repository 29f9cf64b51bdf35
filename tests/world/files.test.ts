import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { write } from '../../scripts/world/write.ts'
import { temporaryFolder } from '../temporary.ts'
import { asked, SEED, WORLD } from './quickstart.ts'

const tracked = join(dirname(fileURLToPath(import.meta.url)), '../../datasets/quickstart')
const FILES = ['corpus.jsonl', 'queries.jsonl', 'qrels/test.tsv', 'qrels/independent.tsv']

describe('the tracked world', () => {
  test('is what the generator writes, byte for byte', () => {
    const folder = temporaryFolder()
    write(folder, SEED)
    for (const file of FILES) {
      expect(readFileSync(join(folder, file)).equals(readFileSync(join(tracked, file))), file).toBe(true)
    }
  })

  test('is small', () => {
    const bytes = FILES.reduce((sum, file) => sum + statSync(join(tracked, file)).size, 0)
    expect(bytes).toBeLessThan(1_000_000)
    expect(WORLD.passages.length).toBeGreaterThanOrEqual(400)
    expect(WORLD.passages.length).toBeLessThanOrEqual(600)
    expect(WORLD.questions.length).toBeGreaterThanOrEqual(150)
  })

  test('has a split of questions of which no two share a gold passage', () => {
    const rows = readFileSync(join(tracked, 'qrels/independent.tsv'), 'utf8').trim().split('\n').slice(1)
    const passages = rows.map((row) => row.split('\t')[1])
    expect(new Set(passages).size).toBe(passages.length)
    expect(new Set(rows.map((row) => row.split('\t')[0])).size).toBe(134)
  })

  test('gives no title, text or question twice', () => {
    for (const values of [
      WORLD.passages.map(({ title }) => title),
      WORLD.passages.map(({ text }) => text),
      WORLD.questions.map(({ text }) => text),
    ]) {
      expect(new Set(values).size).toBe(values.length)
    }
  })

  test('counts what the README beside it says', () => {
    const readme = readFileSync(join(tracked, 'README.md'), 'utf8')
    const rows = [...readme.matchAll(/^\| (\w+) \| (\d+) \|/gm)].map(([, category, count]) => [
      category,
      Number(count),
    ])
    const counts = new Map<string, number>()
    for (const { category } of WORLD.questions) counts.set(category, (counts.get(category) ?? 0) + 1)
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(counts))
    expect(readme).toContain(`${WORLD.passages.length} passages`)
    expect(readme).toContain(`${WORLD.questions.length} questions`)
  })

  test('marks what has no answer, and nothing else', () => {
    for (const { gold, category, answers } of WORLD.questions) {
      expect(gold.length === 0).toBe(category === 'unanswerable')
      expect(answers.length === 0).toBe(category === 'unanswerable')
    }
    expect(asked('thematic').every(({ gold }) => gold.length > 3)).toBe(true)
  })
})

test('another seed is another world', () => {
  const folder = temporaryFolder()
  write(folder, SEED + 1)
  expect(readFileSync(join(folder, 'corpus.jsonl')).equals(readFileSync(join(tracked, 'corpus.jsonl')))).toBe(
    false,
  )
})
