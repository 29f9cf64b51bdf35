import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { robustnessView } from '../../src/report/views/robustness.ts'
import { type Results, readResults } from '../../src/results/read.ts'
import type { TrialSummary } from '../../src/results/summary.ts'
import type { Json } from '../../src/types.ts'
import { writeFixture } from './fixture.ts'

let results: Results

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-robustness-'))
  writeFixture(folder, { queries: 40, trials: 8 })
  results = await readResults(folder)
  rmSync(folder, { recursive: true, force: true })
})

const noise = (kind: string, share = 0.1, seed = 0) => ({ noise: { kind, share, seed } })
const words = (markup = '') =>
  markup
    .replaceAll('<wbr>', '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')

/** The fixture's first trials as the same trial with other things before it. */
function withBefore(...befores: readonly (readonly Json[])[]): Results {
  const [first] = results.summary.trials
  const trials = results.summary.trials.map(
    (trial, place): TrialSummary =>
      place < befores.length
        ? { ...trial, strategy: first.strategy, params: first.params, before: befores[place] }
        : trial,
  )
  return { ...results, summary: { ...results.summary, trials } }
}

/** The mean of a trial's primary measure, off the scores. */
function meanOf(place: number): number {
  const values = results.scores.get(results.summary.primary)
  const n = results.queries.id.length
  const own = [...(values?.subarray(place * n, (place + 1) * n) ?? [])].filter(
    (value) => !Number.isNaN(value),
  )
  return own.reduce((sum, value) => sum + value, 0) / own.length
}

/** Rows of the table as their exact values, the first two cells as text. */
function rowsOf(view: ReturnType<typeof robustnessView>): (string | number)[][] {
  const rows = view?.body.markup.split('<tbody>')[1].split('</tr>').slice(0, -1) ?? []
  return rows.map((row) => [
    words(row.split('</th>')[0]).trim(),
    ...[...row.matchAll(/<td[^>]* data-v="([^"]*)"/g)].map(([, value]) =>
      value === '' ? '' : Number(value),
    ),
  ])
}

describe('robustness', () => {
  test('is shown where a trial stands beside itself with noise, and only there', () => {
    expect(robustnessView(results)).toBeNull()
    expect(robustnessView(withBefore([noise('typos')]))).toBeNull()
    expect(robustnessView(withBefore([], ['normalize-keywords', noise('typos')]))).toBeNull()
    expect(robustnessView(withBefore([], [noise('typos')]))?.title).toBe('Robustness')
  })

  test('pairs each trial with itself, whatever else stands before it, and subtracts', () => {
    const view = robustnessView(
      withBefore(
        [],
        [noise('typos')],
        [noise('lowercase')],
        [noise('typos'), 'normalize-keywords'],
        ['normalize-keywords'],
      ),
    )
    const [zero, four] = [meanOf(0), meanOf(4)]
    const { trials } = results.summary
    const expected = [
      [trials[0].name, zero, meanOf(1) - zero, meanOf(2) - zero],
      [trials[4].name, four, meanOf(3) - four, ''],
    ].sort((a, b) => Number(b[1]) - Number(a[1]))
    const found = rowsOf(view)
    expect(found.map(([name]) => name)).toEqual(expected.map(([name]) => name))
    found.forEach((row, i) => {
      row.slice(1).forEach((value, at) => {
        const wanted = expected[i][at + 1]
        if (wanted === '') expect(value).toBe('')
        else expect(value).toBeCloseTo(Number(wanted), 10)
      })
    })
    expect(words(view?.body.markup)).toContain('over the 3 pairs of this table')
  })

  test('names noises by what tells them apart', () => {
    const head = (...befores: readonly (readonly Json[])[]) =>
      words(robustnessView(withBefore([], ...befores))?.body.markup.split('</thead>')[0])
    expect(head([noise('typos', 0.1)], [noise('drop', 0.25), noise('lowercase')])).toMatch(
      /typos 10 % drop 25 % \+ lowercase/,
    )
    expect(head([noise('typos', 0.1, 1)], [noise('typos', 0.1, 2)])).toMatch(
      /typos 10 % seed 1 typos 10 % seed 2/,
    )
  })

  test('says what is the same on every query', () => {
    const n = results.queries.id.length
    const scores = new Map(
      [...results.scores].map(([measure, values]) => {
        const copy = values.slice()
        copy.copyWithin(n, 0, n)
        return [measure, copy]
      }),
    )
    const view = robustnessView({ ...withBefore([], [noise('uppercase')]), scores })
    expect(words(view?.body.markup)).toContain('identical')
  })
})
