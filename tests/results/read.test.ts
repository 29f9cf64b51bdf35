import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { UserError } from '../../src/errors.ts'
import { FORMAT } from '../../src/results/format.ts'
import { readKeptQrels, readKeptRun } from '../../src/results/kept-run.ts'
import { readLatency, readManifest, readResults, readSummary } from '../../src/results/read.ts'
import type { ParquetColumn } from '../../src/tables/column.ts'
import { writeTable } from '../../src/tables/parquet.ts'
import { writeFixture } from '../report/fixture.ts'
import { sharedFolder } from '../temporary.ts'
import { certifyAgain } from './certify.ts'

const folder = sharedFolder()
let whole: string

beforeAll(() => {
  whole = join(folder, 'whole')
  writeFixture(whole, { trials: 8, queries: 30, graph: true })
})

/** A copy of the experiment, damaged. */
function damaged(name: string, damage: (at: string) => void): string {
  const at = join(folder, name)
  cpSync(whole, at, { recursive: true })
  damage(at)
  return at
}

/** The same, with a manifest as if a run had written it so. */
function wrong(name: string, damage: (at: string) => void): string {
  const at = damaged(name, damage)
  certifyAgain(at)
  return at
}

async function messageOf(read: () => unknown): Promise<string> {
  try {
    await read()
  } catch (error) {
    expect(error).toBeInstanceOf(UserError)
    return (error as UserError).message
  }
  throw new Error('it was read')
}

test('scores agree with the means of the summary', async () => {
  const { summary, scores, queries } = await readResults(whole)
  const count = queries.id.length
  summary.trials.forEach((trial, place) => {
    for (const measure of summary.measures) {
      const row = scores.get(measure)!.subarray(place * count, (place + 1) * count)
      const judged = row.filter((value) => !Number.isNaN(value))
      expect(judged.length).toBe(summary.datasets[0].judged)
      expect(judged.reduce((a, b) => a + b, 0) / judged.length).toBeCloseTo(trial.measures[measure].mean, 12)
    }
  })
})

test('of every query only the scores that are asked for are read', async () => {
  const { scores } = await readResults(whole, ({ primary }) => [primary])
  const all = await readResults(whole)
  expect([...scores]).toEqual([[all.summary.primary, all.scores.get(all.summary.primary)]])
})

test('queries, gold, rankings and texts come as they were written', async () => {
  const { queries, labels, gold, rankings, texts, summary } = await readResults(whole)
  expect(queries.id[0]).toBe('q0000')
  expect(queries.answers[0]).toHaveLength(1)
  expect([...queries.answerable].filter((flag) => flag === 0)).toHaveLength(summary.datasets[0].unanswerable)
  expect(labels.rows).toBe(summary.datasets[0].gold)
  expect(gold.rank).toHaveLength(summary.datasets[0].gold * summary.trials.length)
  gold.rank.forEach((rank, row) => {
    expect(rank > 0).toBe(gold.stage.words[gold.stage.codes[row]] === 'found')
  })
  expect(rankings.rows).toBe(20 * 30 * summary.trials.filter(({ finalist }) => finalist).length)
  expect(texts.judged).toEqual(texts.chunk)
})

test('another format, broken JSON and damaged tables name their file', async () => {
  const other = damaged('other', (at) => {
    const summary = JSON.parse(readFileSync(join(at, 'summary.json'), 'utf8'))
    writeFileSync(join(at, 'summary.json'), JSON.stringify({ ...summary, format: 1 }))
  })
  expect(await messageOf(() => readSummary(other))).toMatch(
    /summary\.json: was written by another version of touchstone; run the config again/,
  )
  const broken = damaged('broken', (at) => writeFileSync(join(at, 'manifest.json'), '{"format": 2'))
  expect(await messageOf(() => readResults(broken))).toMatch(/manifest\.json: is not readable JSON/)
  const cut = wrong('cut', (at) => writeFileSync(join(at, 'gold.parquet'), 'PAR1'))
  expect(await messageOf(() => readResults(cut))).toMatch(/gold\.parquet: is not a readable results table/)
  const short = wrong('short', (at) =>
    writeTable(join(at, 'gold.parquet'), [
      { name: 'rank', type: 'int32', values: Int32Array.of(1) },
      { name: 'stage', type: 'string', values: ['found'] },
    ]),
  )
  expect(await messageOf(() => readResults(short))).toMatch(
    /gold\.parquet: has 1 rows, but 8 trials have \d+/,
  )
  const gone = damaged('gone', (at) => rmSync(join(at, 'texts.parquet')))
  expect(await messageOf(() => readResults(gone))).toMatch(/texts\.parquet: was changed or lost/)
  const lacking = wrong('lacking', (at) =>
    writeTable(join(at, 'queries.parquet'), [{ name: 'id', type: 'string', values: ['q'] }]),
  )
  expect(await messageOf(() => readResults(lacking))).toContain(
    'lacks the columns text, category, answers, answerable',
  )
  const outside = wrong('outside', (at) =>
    writeTable(join(at, 'scores.parquet'), [
      { name: 'trial', type: 'int32', values: Int32Array.of(8) },
      { name: 'query', type: 'int32', values: Int32Array.of(0) },
      ...readSummary(at).measures.map(
        (name): ParquetColumn => ({ name, type: 'number', values: Float64Array.of(1) }),
      ),
    ]),
  )
  expect(await messageOf(() => readResults(outside))).toContain('"trial", row 1: 8 is not an index below 8')
})

test.each([
  ['manifest.json', readManifest],
  ['timings/latency.json', readLatency],
])('no flipped bit of %s is read', async (file, read) => {
  const at = damaged(`bits-${file.length}`, () => {})
  const bytes = readFileSync(join(at, file))
  for (let place = 0; place < bytes.length; place += 3) {
    const flipped = Buffer.from(bytes)
    flipped[place] ^= 1 << (place % 7)
    writeFileSync(join(at, file), flipped)
    let result: unknown
    try {
      result = read(at)
    } catch (error) {
      expect(error).toBeInstanceOf(UserError)
      continue
    }
    // White space, and the name of the hash's key, of a file whose content is as it was.
    expect(result, `byte ${place}`).toMatchObject(read(whole) as object)
  }
})

test('an edited number is shown by nobody: every reader looks at the hashes of the manifest', async () => {
  const better = damaged('better', (at) => {
    const summary = JSON.parse(readFileSync(join(at, 'summary.json'), 'utf8'))
    summary.trials[0].measures['recall@5'].mean = 0.999
    writeFileSync(join(at, 'summary.json'), JSON.stringify(summary))
  })
  const trial = readSummary(whole).trials.find(({ finalist }) => finalist)?.name ?? ''
  const said = /summary\.json: was changed or lost since it was written/
  for (const read of [readSummary, readResults, readKeptQrels, (at: string) => readKeptRun(at, trial)])
    expect(await messageOf(() => read(better))).toMatch(said)
  for (const file of readdirSync(whole).filter((name) => name.endsWith('.parquet'))) {
    const at = damaged(`flipped-${file}`, (copy) => {
      const bytes = readFileSync(join(copy, file))
      bytes[bytes.length >> 1] ^= 1
      writeFileSync(join(copy, file), bytes)
    })
    expect(await messageOf(() => readSummary(at))).toContain(`${file}: was changed or lost`)
  }
  const graph = damaged('graph', (at) => {
    const text = readFileSync(join(at, 'graphs.json'), 'utf8')
    writeFileSync(
      join(at, 'graphs.json'),
      text.replace(/\d(?=[,}])/, (digit) => String(9 - Number(digit))),
    )
  })
  expect(await messageOf(() => readSummary(graph))).toContain('graphs.json: was changed or lost')
  const manifest = damaged('manifest', (at) =>
    writeFileSync(join(at, 'manifest.json'), JSON.stringify({ format: FORMAT })),
  )
  expect(await messageOf(() => readSummary(manifest))).toContain('manifest.json: was changed or lost')
})
