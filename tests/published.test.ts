import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { writePublishedRuns } from '../scripts/published-data.ts'
import {
  expectedFile,
  expectedOf,
  publishedPage,
  readSources,
  rowsOf,
  type Source,
  scoresOf,
  verdictOf,
  wordsOf,
} from '../scripts/published-rows.ts'
import { main } from '../src/cli/main.ts'
import { loadConfig } from '../src/config/load.ts'
import { standIn } from './cli/stand-in.ts'
import { describeShared, SHARED, shared } from './shared.ts'
import { temporaryFolder } from './temporary.ts'

const root = resolve(import.meta.dirname, '..')
const sources = readSources(join(root, 'published'))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

test('rows are complete: a value in digits, and a command that measures it', () => {
  const wrong = sources.flatMap(({ key, commands, rows }) =>
    rows.filter(({ printed, command }) => !/^\.\d+$/.test(printed) || !(command in commands)).map(() => key),
  )
  expect(wrong).toEqual([])
  expect(sources.flatMap(({ rows }) => rows).length).toBeGreaterThanOrEqual(30)
})

test('the page and the expected scores are made of the rows and the stored values', () => {
  const measured = JSON.parse(read('docs/evidence/published.json'))
  expect(read('docs/evidence/published.md')).toBe(publishedPage(sources, measured))
  for (const source of sources.filter(({ needs }) => needs))
    for (const [command, text] of Object.entries(expectedOf(source)))
      expect(read(expectedFile(command))).toBe(text)
})

test.each(['cacm', 'longmemeval'])(
  'the config of %s, whose data are fetched by hand, is in order',
  async (name) => {
    const set = [`dataset=${join(root, 'datasets', 'quickstart')}`, 'prepare.embedder=lsa']
    const { trials } = await loadConfig(`configs/published/${name}.yaml`, { set, env: {}, folder: root })
    expect(trials.length).toBeGreaterThan(1)
  },
)

test('a verdict compares as many digits as are printed', () => {
  expect(verdictOf('.416', 0.4158)).toBe('to the digit')
  expect(verdictOf('.4160', 0.4158)).toBe('within 2 points')
  expect(verdictOf('.416', 0.437)).toBe('not')
  expect(verdictOf('.416', undefined)).toBe('data not here')
})

describeShared('the quickest rows are reproduced to the digit', () => {
  const score = async (words: readonly string[]) => {
    const terminal = standIn({ folder: root })
    expect(await main(words, terminal), terminal.stderr()).toBe(0)
    return scoresOf(JSON.parse(terminal.stdout()))
  }
  const sourceOf = (key: string) => sources.find((source) => source.key === key) as Source

  describe.each(['trec_eval', 'ir_measures'])('%s', (key) => {
    const source = sourceOf(key)
    test.each(Object.keys(source.commands))('%s', async (command) => {
      const scores = await score(wordsOf(source, command, SHARED))
      for (const { measure, printed } of rowsOf(source, command))
        expect(verdictOf(printed, scores[measure]?.[0]), measure).toBe('to the digit')
    })
  })

  test('2wiki', async () => {
    const folder = temporaryFolder()
    writePublishedRuns(SHARED, folder)
    for (const { name, measure, printed } of sourceOf('2wiki').rows) {
      const words = [
        'score',
        shared('data', '2wiki-101'),
        join(folder, `${name}.trec`),
        '-m',
        measure,
        '--json',
      ]
      expect(verdictOf(printed, (await score(words))[measure][0]), name).toBe('to the digit')
    }
  })
})
