import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type ExpectedScores, parseExpected } from '../../src/results/expected.ts'

const root = resolve(import.meta.dirname, '..', '..')
const folder = join(root, 'configs', 'expected')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const expected = (name: string): ExpectedScores => {
  const file = join(folder, `${name}.json`)
  return parseExpected(readFileSync(file, 'utf8'), file)
}

/** The rows of a table of docs/evidence/results.md: what stands in its first cell, and the others. */
function tableOf(name: string): Map<string, string[]> {
  const [, table] =
    new RegExp(`<!-- ${name} -->\\n([\\s\\S]*?)<!-- end -->`).exec(read('docs/evidence/results.md')) ?? []
  const rows = table.trim().split('\n').slice(2)
  return new Map(
    rows.map((row) => {
      const [first, ...cells] = row.split('|').slice(1, -1)
      return [first.replaceAll('`', '').trim(), cells.map((cell) => cell.trim())]
    }),
  )
}

const SETS = ['musique-train-100', 'hotpotqa-train-100', '2wiki-101', 'claude-docs-100', 'xquad-en']

describe('published scores', () => {
  test('stand for the quickstart and for each set of docs/evidence/results.md', () => {
    const names = ['quickstart', ...SETS.map((set) => `variants-${set}`)]
    expect(readdirSync(folder).sort()).toEqual(names.map((name) => `${name}.json`).sort())
  })

  test.each(SETS.map((set, column) => [set, column] as const))(
    'of %s are those of the page',
    (set, column) => {
      const { scores } = expected(`variants-${set}`)
      const rows = tableOf('measured')
      expect(Object.keys(scores)).toEqual([...rows.keys()])
      for (const [name, cells] of rows) {
        const percent = (measure: string, digits: number) =>
          (100 * (scores[name][measure] ?? 0)).toFixed(digits)
        expect(cells[column].replace(/ \[.*\]| [▲▼]/g, ''), name).toBe(
          `${percent('recall@5', 1)} / ${percent('full_recall@5', 0)}`,
        )
      }
    },
  )

  test("README's own figure is the page's", () => {
    const worst = tableOf('measured').get('title-ppr')?.at(-1)
    expect(read('README.md').replaceAll('\n', ' ')).toContain(`at most ${worst} points below the best`)
  })

  test("of the quickstart are those of the page's recording", () => {
    const { scores } = expected('quickstart')
    const board = read('docs/quickstart.md').split('All rows and notes')[0]
    const rows = [...board.matchAll(/^\d+ (?:[a-z] +| +)([^\s,]+)(?:, tuned)? +(\d+\.\d\d) /gm)]
    expect(rows.length).toBe(6)
    for (const [, strategy, recall] of rows)
      expect((100 * (scores[`tuned:${strategy}`]['recall@5'] ?? 0)).toFixed(2)).toBe(recall)
  })
})
