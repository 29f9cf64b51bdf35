import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { detectFormat } from '../../src/dataset/detect.ts'
import { RUN_FORMATS, readQrels, readRun, writeQrels, writeRun } from '../../src/runs/formats.ts'
import { expandPaths } from '../../src/runs/glob.ts'
import type { QrelsFile, Run } from '../../src/runs/types.ts'
import { sharedFolder } from '../temporary.ts'

const folder = sharedFolder()
let files = 0
/** Written by the packages themselves: tests/golden/formats/README.md. */
const formats = join(import.meta.dirname, '..', 'golden', 'formats')
const MTEB = 'mteb/NanoFiQA2018Retrieval_predictions.json'
function file(content: string | Buffer, name = `file-${files++}`): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** Content of a run, in an order that does not depend on the file's. */
function content({ name, queries }: Run) {
  return {
    name,
    rows: [...queries]
      .flatMap(([query, { ids, scores }]) =>
        ids.map((id, place) => `${query}\u0000${id}\u0000${scores[place]}`),
      )
      .sort(),
  }
}

describe('ranx, CSV', () => {
  test('runs that PyTerrier and MTEB wrote are one run', async () => {
    const order = async (name: string) => {
      const { queries } = (await readRun(join(formats, name))).value
      return [...queries].map(([query, { ids, scores }]) => [
        query,
        ...[...ids.keys()].sort((a, b) => scores[b] - scores[a]).map((index) => ids[index]),
      ])
    }
    const right = [
      ['q1', 'd0', 'd3'],
      ['q2', 'd2', 'd1', 'd0'],
    ]
    for (const name of ['pyterrier.res.gz', 'pyterrier-minimal.tsv', 'pyterrier.csv', MTEB])
      expect([name, await order(name)]).toEqual([name, right])
    await expect(order(MTEB.replace('mteb', 'mteb-two'))).rejects.toThrow(
      'predictions of MTEB for default.dev, default.train; write one of them',
    )
  })
})

const word = fc.string({
  unit: fc.constantFrom('a', 'B', '1', '9', 'é', '😀', '_', '-', '.', '"', ',', '='),
  minLength: 1,
  maxLength: 4,
})
const anyRun: fc.Arbitrary<Run> = fc
  .uniqueArray(
    fc.tuple(
      word,
      fc.uniqueArray(fc.tuple(word, fc.double({ noNaN: true, noDefaultInfinity: true })), {
        selector: ([id]) => id,
        minLength: 1,
        maxLength: 5,
      }),
    ),
    { selector: ([query]) => query, minLength: 1, maxLength: 4 },
  )
  .map((queries) => ({
    name: 'tag',
    queries: new Map(
      queries.map(([query, pairs]) => [
        query,
        { ids: pairs.map(([id]) => id), scores: Float64Array.from(pairs, ([, score]) => score + 0) },
      ]),
    ),
  }))
const anyQrels: fc.Arbitrary<QrelsFile> = fc
  .uniqueArray(
    fc.tuple(
      word,
      fc.uniqueArray(fc.tuple(word, fc.integer({ min: -2, max: 4 })), {
        selector: ([id]) => id,
        minLength: 1,
        maxLength: 5,
      }),
    ),
    { selector: ([query]) => query, minLength: 1, maxLength: 4 },
  )
  .map((queries) => ({
    qrels: new Map(queries.map(([query, pairs]) => [query, new Map(pairs)])),
    groups: new Map(),
  }))

describe('every format', () => {
  /** A Parquet file is decoded in a process of its own. */
  const runsOf = ({ name }: { name: string }) => (name === 'parquet' ? 12 : 60)
  const writers = RUN_FORMATS.filter(({ writes }) => writes.includes('run'))
  test.each(writers.map((format) => [format.name, format] as const))(
    '%s gives back the run that was written',
    async (_, format) => {
      await fc.assert(
        fc.asyncProperty(anyRun, async (run) => {
          const path = join(folder, `round${format.extension}`)
          await writeRun(path, run, format.name)
          const { value } = await readRun(path, {}, format.name)
          expect(content({ ...value, name: 'tag' })).toEqual(content(run))
          if (format.name !== 'ranx') expect(value.name).toBe('tag')
        }),
        { numRuns: runsOf(format) },
      )
    },
  )
  test.each(
    RUN_FORMATS.filter(({ writes }) => writes.includes('qrels')).map(
      (format) => [format.name, format] as const,
    ),
  )('%s gives back the judgements that were written', async (_, format) => {
    await fc.assert(
      fc.asyncProperty(anyQrels, async (qrels) => {
        const path = join(folder, `qrels${format.extension}`)
        await writeQrels(path, qrels, format.name)
        expect((await readQrels(path, {}, format.name)).value).toEqual(qrels)
      }),
      { numRuns: runsOf(format) },
    )
  })
  const grouped: QrelsFile = {
    qrels: new Map([
      [
        'q',
        new Map([
          ['a', 1],
          ['b', 1],
          ['c', 1],
        ]),
      ],
    ]),
    groups: new Map([
      [
        'q',
        new Map([
          ['a', 'g'],
          ['b', 'g'],
        ]),
      ],
    ]),
  }
  test.each(['beir', 'csv', 'parquet'])('%s keeps OR-groups', async (name) => {
    const path = join(folder, `grouped.${name}`)
    await writeQrels(path, grouped, name)
    expect((await readQrels(path, {}, name)).value).toEqual(grouped)
  })
  test.each(['trec', 'ranx'])('%s refuses OR-groups rather than lose them', async (name) => {
    await expect(writeQrels(join(folder, 'x'), grouped, name)).rejects.toThrow('cannot hold OR-groups')
  })
})

describe('patterns of paths', () => {
  test('with thousands of stars end, and mean what they mean', { timeout: 20_000 }, () => {
    const long = 'a'.repeat(200)
    for (const name of ['ab.trec', 'abc.trec', long]) file('', name)
    const pathsOf = (pattern: string) =>
      expandPaths([join(folder, pattern)]).map((path) => path.slice(folder.length + 1))
    expect(pathsOf('ab.tr*')).toEqual(['ab.trec'])
    expect(pathsOf('**ab*.t**c')).toEqual(['ab.trec', 'abc.trec'])
    expect(() => pathsOf(`${'a*'.repeat(3000)}b`)).toThrow('nothing matches')
    expect(() => pathsOf(`${'*a'.repeat(150)}b*`)).toThrow('nothing matches')
    expect(pathsOf(`${'*a'.repeat(150)}*`)).toEqual([long])
  })

  test('a folder that may not be read is told, not taken for empty', () => {
    const closed = join(folder, 'closed')
    mkdirSync(closed)
    writeFileSync(join(closed, 'a.trec'), 'q Q0 a 1 1 t\n')
    chmodSync(closed, 0o000)
    chmodSync(folder, 0o755)
    asNobody(() => {
      expect(() => expandPaths([join(closed, '*.trec')])).toThrow('permission denied')
      expect(() => detectFormat(closed)).toThrow(/EACCES/)
    })
    chmodSync(closed, 0o755)
    expect(expandPaths([join(closed, '*.trec')])).toHaveLength(1)
  })
})

/** Root may read everything. */
function asNobody(run: () => void): void {
  const root = process.getuid?.() === 0
  if (root) process.seteuid?.(65_534)
  try {
    run()
  } finally {
    if (root) process.seteuid?.(0)
  }
}
