import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { parquetWriteFile } from 'hyparquet-writer'
import { afterAll, describe, expect, test } from 'vitest'
import { detectFormat } from '../../src/dataset/load.ts'
import { RUN_FORMATS } from '../../src/runs/formats.ts'
import { expandPaths } from '../../src/runs/glob.ts'
import { kindOfFile } from '../../src/runs/kind.ts'
import { formatNamed, readQrels, readRun } from '../../src/runs/read.ts'
import type { QrelsFile, Run } from '../../src/runs/types.ts'

const folder = mkdtempSync(join(tmpdir(), 'runs-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0
/** Written by the packages themselves: tests/golden/formats/README.md. */
const formats = join(import.meta.dirname, '..', 'golden', 'formats')
const MTEB = 'mteb/NanoFiQA2018Retrieval_predictions.json'
function file(content: string | Buffer, name = `file-${files++}`): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
const messages = (path: string) => (error: Error) => error.message.replaceAll(`${path}:`, '')

/** What a run says, in an order that does not depend on the file's. */
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

describe('TREC runs', () => {
  test('4 to 6 columns, CRLF, tabs, spaces at the end, comments, exponents, signs, byte order mark', async () => {
    const path = file(
      '\ufeff# a comment\r\nq1 Q0 a 1 2.5e1 mine  \r\n\r\nq1\tQ0\tb\t3\t-.5\tmine more words\r\n  q1 Q0 c#1 2 +3.\r\nq2 d 1 7\nq2 e 2 6 mine\nq2 Q0 f 5',
    )
    const { value, notices } = await readRun(path)
    expect(notices).toEqual({ 'lines with more words after the tag, ignored': 1 })
    expect(content(value)).toEqual({
      name: 'mine',
      rows: [
        'q1\u0000a\u000025',
        'q1\u0000b\u0000-0.5',
        'q1\u0000c#1\u00003',
        'q2\u0000d\u00007',
        'q2\u0000e\u00006',
        'q2\u0000f\u00005',
      ],
    })
  })
  test('a line with a space in an id is refused; lenient reading counts it', async () => {
    const path = file(
      'q Q0 a 1 9 t\nq Q0 my doc 2 8.5 t\nq Q0 your doc 3 7.5\nq b x 6 t\nq Q0 doc 12 3 7 t\nq Q0 doc 12 3 7.5\n',
    )
    await expect(readRun(path).catch((error) => Promise.reject(messages(path)(error)))).rejects.toBe(
      [
        '2: the rank `doc` is not a number (does an id hold a space?)',
        '3: the rank `doc` is not a number (does an id hold a space?)',
        '4: the rank `x` is not a number (does an id hold a space?)',
        '5: has 7 columns and the number `7` for a tag (does an id hold a space?)',
        '6: has 6 columns and the number `7.5` for a tag (does an id hold a space?)',
      ].join('\n'),
    )
    const { notices } = await readRun(file('q Q0 a 1 9 my tag\nq b x 6 t\n'), { lenient: true })
    expect(notices).toEqual({
      'lines with more words after the tag, ignored': 1,
      'ranks that are not whole numbers, ignored': 1,
    })
  })
  test('ids that are empty or hold control characters are refused; lenient reading counts the latter', async () => {
    const path = file('query_id,document_id,score\n,a,1\nq,,1\nq,"b\u0007",1\nq,"c\u009b",1\n', 'ids.csv')
    await expect(readRun(path).catch((error) => Promise.reject(messages(path)(error)))).rejects.toBe(
      [
        "2: the query's id is empty",
        "3: the document's id is empty",
        '4: the document\'s id holds a control character: "b\\u0007"',
        '5: the document\'s id holds a control character: "c\u009b"',
      ].join('\n'),
    )
    const lenient = file('q Q0 b\u0007 1 1 t\n')
    expect((await readRun(lenient, { lenient: true })).notices).toEqual({ 'ids with control characters': 1 })
    await expect(readQrels(file('q 0 b\u0007 1\n'))).rejects.toThrow('holds a control character')
  })
  test('gzip, whatever the name', async () => {
    const { value } = await readRun(file(gzipSync('q Q0 a 1 1 t\n')))
    expect(value.queries.get('q')?.ids).toEqual(['a'])
  })
  test('a no-break space belongs to an id, as it does for C', async () => {
    const { value } = await readRun(file('q Q0 a\u00a0b 1 1 t\n'))
    expect(value.queries.get('q')?.ids).toEqual(['a\u00a0b'])
  })
  test('every error at once, with its line', async () => {
    const path = file(
      'q Q0 a 1 high t\nq Q0 b 2 nan t\nq Q0 c 3 1 t\nq Q0 c 4 2 t\nq Q0\nq Q0 d 5 0x1g t\nq Q0 e 6 1e999 t\n',
    )
    await expect(readRun(path).catch((error) => Promise.reject(messages(path)(error)))).rejects.toBe(
      [
        '1: the score `high` is not a finite number in decimal digits',
        '2: the score `nan` is not a finite number in decimal digits',
        '4: the query `q` has `c` twice; an id may occur once in a ranking',
        '5: has 2 columns; a run has 4 to 6: query, Q0, document, rank, score, tag',
        '6: the score `0x1g` is not a finite number in decimal digits',
        '7: the score `1e999` is not a finite number in decimal digits',
      ].join('\n'),
    )
  })
  test("lenient reads scores as C's atof does and counts them; NaN has no order and stays a mistake", async () => {
    const { value, notices } = await readRun(file('q Q0 a 2 high t\nq Q0 b 1 3x t\nq Q0 c 3 -inf t\n'), {
      lenient: true,
    })
    expect(Array.from(value.queries.get('q')?.scores ?? [])).toEqual([0, 3, Number.NEGATIVE_INFINITY])
    expect(notices).toEqual({ 'scores that are not finite decimal numbers, read as C does': 3 })
    await expect(readRun(file('q Q0 a 1 nan t\n'), { lenient: true })).rejects.toThrow(
      '1: the score `nan` is not a finite number in decimal digits: NaN has no order',
    )
  })
  test.each([
    [
      'a JSON object in each line',
      '{"query_id":"q"}\n{"query_id":"r"}\n',
      /:1: holds a JSON object in each line; write/,
    ],
    [
      'rankings in each line',
      '{"q":{"a":1}}\n{"r":{"a":1}}\n',
      /:1: holds a JSON object in each line; write/,
    ],
    ['a list of objects', '[{"query_id":"q"}]', /must be an object \{query: \{document: number\}\}/],
  ])('%s is no run of ids, and the message says so', async (_, content, message) => {
    await expect(readRun(file(content))).rejects.toThrow(message)
  })
  test.each([
    ['q,a,1\n', 'commas: write spaces'],
    ['q;a;1\n', 'semicolons: write spaces'],
  ])('qrels separated by another sign name it: %s', async (content, words) => {
    await expect(readQrels(file(content))).rejects.toThrow(
      `its columns are separated by ${words} in their place`,
    )
  })
  test('empty, missing, not UTF-8, broken gzip', async () => {
    await expect(readRun(file(''))).rejects.toThrow('holds no ranking: the file is empty')
    await expect(readRun(file('# only a comment\n'))).rejects.toThrow('holds no ranking')
    await expect(readRun(join(folder, 'nowhere'))).rejects.toThrow('nowhere: there is no such file')
    await expect(readRun(folder)).rejects.toThrow('is a folder, not a file')
    await expect(readRun(file(Buffer.from([0x1f, 0x8b, 1, 2])))).rejects.toThrow('is a broken gzip file')
    const latin = file(Buffer.from('q Q0 a 1 1 t\nq Q0 caf\xe9 2 1 t\n', 'latin1'))
    await expect(readRun(latin)).rejects.toThrow(`${latin}:2: is not UTF-8`)
    const json = file(Buffer.from('{"q": {"caf\xe9": 1}}', 'latin1'))
    await expect(readRun(json)).rejects.toThrow(`${json}:1: is not UTF-8`)
    await expect(readQrels(json)).rejects.toThrow(`${json}:1: is not UTF-8`)
    expect((await readRun(latin, { lenient: true })).value.queries.get('q')?.ids).toEqual(['a', 'caf\u00e9'])
  })
  test('long lists of errors end', async () => {
    const path = file('q Q0 a 1 x t\n'.repeat(1000))
    await expect(readRun(path)).rejects.toThrow(`${path}: and 980 more`)
  })
})

describe('judgements', () => {
  test('TREC, with comments; grades below 0 and signs', async () => {
    const { value } = await readQrels(file('# c\nq1 0 a 1\nq1\t0\tb\t-1  \r\nq2 0 #c +2\n'))
    expect(value.qrels).toEqual(
      new Map([
        [
          'q1',
          new Map([
            ['a', 1],
            ['b', -1],
          ]),
        ],
        ['q2', new Map([['#c', 2]])],
      ]),
    )
  })
  test('a run in place of qrels is one error', async () => {
    const path = file('q Q0 a 1 3 t\nq Q0 b 2 2 t\n')
    await expect(readQrels(path).catch((error) => Promise.reject(messages(path)(error)))).rejects.toBe(
      '1: is a line of a run; qrels come first, then runs',
    )
  })
  test('errors with lines', async () => {
    const path = file('q 0 a good\nq 0 b 1\nq 0 b 0\nq 0 c\nq 0 d 1.5\n')
    await expect(readQrels(path).catch((error) => Promise.reject(messages(path)(error)))).rejects.toBe(
      [
        '1: the grade `good` is not a whole number of 32 bits',
        '3: the query `q` judges `b` twice',
        '4: has 3 columns, not query, iteration, document, grade',
        '5: the grade `1.5` is not a whole number of 32 bits',
      ].join('\n'),
    )
  })
  test("lenient reads grades as C's atol does, and counts them", async () => {
    const { value, notices } = await readQrels(file('q 0 a good\nq 0 b 1.9\nq 0 c 2 extra\n'), {
      lenient: true,
    })
    expect(value.qrels.get('q')).toEqual(
      new Map([
        ['a', 0],
        ['b', 1],
        ['c', 2],
      ]),
    )
    expect(notices).toEqual({
      'grades that are not whole numbers, read as C does': 2,
      'lines with columns after the grade': 1,
    })
  })
  test('BEIR, with a header or none, and groups', async () => {
    expect((await readQrels(file('query-id\tcorpus-id\tscore\nq 1\ta b\t1\n'))).value.qrels).toEqual(
      new Map([['q 1', new Map([['a b', 1]])]]),
    )
    expect((await readQrels(file('q\ta\t1\n'))).value.qrels).toEqual(new Map([['q', new Map([['a', 1]])]]))
    const { value } = await readQrels(
      file('query-id\tcorpus-id\tscore\tgroup\nq\ta\t1\tg\nq\tb\t1\tg\nq\tc\t1\t\n'),
    )
    expect(value.groups).toEqual(
      new Map([
        [
          'q',
          new Map([
            ['a', 'g'],
            ['b', 'g'],
          ]),
        ],
      ]),
    )
  })
  test('empty', async () => {
    await expect(readQrels(file(''))).rejects.toThrow('holds no qrels: the file is empty')
  })
})

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
  test.each([
    ['scores', 'q1\tb\t9\nq1\ta\t7\n'],
    ['one document for each query, which may be scores', 'q1\tb\t1\nq2\ta\t1\n'],
    ['a rank twice', 'q1\tb\t1\nq1\ta\t1\n'],
    ['a rank left out', 'q1\tb\t1\nq1\ta\t3\n'],
  ])('three columns with %s are refused', async (_, text) => {
    await expect(readRun(file(text))).rejects.toThrow(':1: a run between tabs begins with a header')
  })
  test('predictions of MTEB: one split is a run, several are refused', async () => {
    const run = { q1: { a: 1, b: 2 } }
    const one = { mteb_model_meta: { model_name: 'm' }, default: { test: run } }
    expect((await readRun(file(JSON.stringify(one)))).value.queries.get('q1')?.ids).toEqual(['a', 'b'])
    const two = file(JSON.stringify({ ...one, de: { test: run } }))
    await expect(readRun(two)).rejects.toThrow(
      'predictions of MTEB for default.test, de.test; write one of them',
    )
  })
  test('JSON errors', async () => {
    const broken = file('{"q": {"a": 1},\n "r": {"a": }}')
    await expect(readRun(broken)).rejects.toThrow(`${broken}:2: is not valid JSON`)
    await expect(readRun(file('{"q": {"a": "1"}}'))).rejects.toThrow(
      'the score of `a` for the query `q` must be a number, not the string "1"',
    )
    await expect(readRun(file('{"q": 1}'))).rejects.toThrow(
      'the query `q` must be an object {document: number}',
    )
    await expect(readQrels(file('{"q": {"a": 0.5}}'))).rejects.toThrow(
      'the grade `0.5` is not a whole number',
    )
  })
  test('JSON: a key that stands twice is refused with its line, in runs and judgements', async () => {
    const queries = file('{"q": {"a": 1},\n "r": {"a": 2},\n "q": {"b": 1}}')
    await expect(readRun(queries)).rejects.toThrow(`${queries}:3: has the key "q" twice in one object`)
    const ids = file('{"q": {"a": 1,\n "a": 0}}')
    await expect(readQrels(ids)).rejects.toThrow(`${ids}:2: has the key "a" twice in one object`)
    await expect(readRun(file('{"q": {"a": 1e999}}'))).rejects.toThrow('holds a number too large to be read')
  })
  test('CSV: a column twice and quotes inside a field are refused', async () => {
    const twice = file('qid,doc_id,score,score\nq,a,1,2\n', 'twice.csv')
    await expect(readRun(twice)).rejects.toThrow(`${twice}:1: has the column \`score\` twice`)
    const quotes = file('qid,doc_id,score\nq,a"b,1\nq,"a"b,1\n', 'quotes.csv')
    await expect(readRun(quotes).catch((error) => Promise.reject(messages(quotes)(error)))).rejects.toBe(
      [2, 3]
        .map(
          (line) => `${line}: a field holds a quote; put the field in quotes and double the quote inside it`,
        )
        .join('\n'),
    )
  })
  test('CSV: quotes, line breaks, other names of columns, errors with lines', async () => {
    const path = file('qid,"doc_id",score,"no\nte"\nq,"a ""b"",c",1,\nq,d,2,"x\ny"\n', 'a.csv')
    expect((await readRun(path)).value.queries.get('q')?.ids).toEqual(['a "b",c', 'd'])
    const wrong = file('qid,doc_id,score,"no\nte"\nq,a,1,\nq,b,x,"c\nd"\nq,d\n', 'b.csv')
    await expect(readRun(wrong).catch((error) => Promise.reject(messages(wrong)(error)))).rejects.toBe(
      '4: the score `x` is not a finite number in decimal digits\n6: has 2 fields; the header has 4',
    )
    await expect(readRun(file('qid,doc_id,scroe\n', 'c.csv'))).rejects.toThrow(
      'has no column `score` (did you mean "score"?); its columns are `qid`, `doc_id`, `scroe`',
    )
    await expect(readRun(file('qid,doc_id,score\nq,"a,1\n', 'd.csv'))).rejects.toThrow(
      'a quote is opened and never closed',
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
  test('is one file and one line in the registry', () => {
    const names = readdirSync(join(import.meta.dirname, '../../src/runs/formats')).map((name) =>
      name.replace('.ts', ''),
    )
    expect(names.sort()).toEqual(RUN_FORMATS.map(({ name }) => name).sort())
  })
  /** A Parquet file is decoded in a process of its own. */
  const runsOf = ({ name }: { name: string }) => (name === 'parquet' ? 12 : 60)
  const writers = RUN_FORMATS.filter(({ writeRun }) => writeRun)
  test.each(writers.map((format) => [format.name, format] as const))(
    '%s gives back the run that was written',
    async (_, format) => {
      await fc.assert(
        fc.asyncProperty(anyRun, async (run) => {
          const path = join(folder, `round${format.extension}`)
          await format.writeRun?.(path, run)
          const { value } = await readRun(path, {}, format.name)
          expect(content({ ...value, name: 'tag' })).toEqual(content(run))
          if (format.name !== 'ranx') expect(value.name).toBe('tag')
        }),
        { numRuns: runsOf(format) },
      )
    },
  )
  test.each(
    RUN_FORMATS.filter(({ writeQrels }) => writeQrels).map((format) => [format.name, format] as const),
  )('%s gives back the judgements that were written', async (_, format) => {
    await fc.assert(
      fc.asyncProperty(anyQrels, async (qrels) => {
        const path = join(folder, `qrels${format.extension}`)
        await format.writeQrels?.(path, qrels)
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
    await formatNamed(name, 'writeQrels').writeQrels?.(path, grouped)
    expect((await readQrels(path, {}, name)).value).toEqual(grouped)
  })
  test.each(['trec', 'ranx'])('%s refuses OR-groups rather than lose them', (name) => {
    expect(() => formatNamed(name, 'writeQrels').writeQrels?.(join(folder, 'x'), grouped)).toThrow(
      'cannot hold OR-groups',
    )
  })
  test('an id that a format cannot hold is refused', () => {
    const run: Run = {
      name: 't',
      queries: new Map([['q', { ids: ['a b'], scores: Float64Array.from([1]) }]]),
    }
    expect(() => formatNamed('trec', 'writeRun').writeRun?.(join(folder, 'x'), run)).toThrow(
      'cannot hold the id `a b`',
    )
  })
  test('an unknown format names the nearest and those there are', () => {
    expect(() => formatNamed('treck', 'readRun')).toThrow(
      'there is no run format `treck` (did you mean "trec"?); there are parquet, ranx, beir, csv, trec',
    )
    expect(() => formatNamed('beir', 'writeRun')).toThrow('there is no run format `beir`')
  })
})

test('run or judgements: told by the form, or unknown', () => {
  expect(kindOfFile(file('q Q0 a 1 1 t\n'))).toBe('run')
  expect(kindOfFile(file('# c\nq 0 a 1\n'))).toBe('qrels')
  expect(kindOfFile(file('q\ta\t1\n'))).toBe('qrels')
  expect(kindOfFile(file('query_id,document_id,grade\n'))).toBe('qrels')
  expect(kindOfFile(file('query_id,document_id,score,run\n'))).toBe('run')
  expect(kindOfFile(file('{"q": {"a": 1}}'))).toBeUndefined()
})

test('patterns', () => {
  const names = ['x-2.trec', 'x-10.trec', 'x-[1].trec']
  for (const name of names) file('q Q0 a 1 1 t\n', name)
  expect(expandPaths([join(folder, 'x-*.trec')])).toEqual(
    ['x-10.trec', 'x-2.trec', 'x-[1].trec'].map((name) => join(folder, name)),
  )
  expect(expandPaths([join(folder, 'x-?.trec'), join(folder, 'x-2.trec')])).toEqual([
    join(folder, 'x-2.trec'),
  ])
  expect(() => expandPaths([join(folder, 'y-*.trec')])).toThrow('nothing matches')
})

describe('ids like the beginning of another format', () => {
  const runs: [string, string, string][] = [
    ['a brace', '{q} Q0 {d} 1 2.5 t\n', '{q}\u0000{d}\u00002.5'],
    ['a brace and a quote', '{"a":1} Q0 d 1 2.5 t\n', '{"a":1}\u0000d\u00002.5'],
    ['without Q0', '{"a" d 1 2.5\n', '{"a"\u0000d\u00002.5'],
    ["Parquet's mark", 'PAR1 Q0 d 1 2.5 PAR1', 'PAR1\u0000d\u00002.5'],
  ]
  test.each(runs)('%s, in a run', async (_, text, row) => {
    const path = file(text)
    expect(content((await readRun(path)).value).rows).toEqual([row])
    expect(kindOfFile(path)).toBe('run')
  })
  test.each([
    ['{"q": 0 {d} 1\n', '{"q":', '{d}'],
    ['{"q":\td\t1\n', '{"q":', 'd'],
    ['PAR1 0 d 1\n', 'PAR1', 'd'],
    ['PAR1\td\t1\n', 'PAR1', 'd'],
  ])('%s, in judgements', async (text, query, id) => {
    const path = file(text)
    expect([...((await readQrels(path)).value.qrels.get(query) ?? [])]).toEqual([[id, 1]])
    expect(kindOfFile(path)).toBe('qrels')
  })
  test.each([
    '{"q": {"d": 5 }}',
    '{ "q": { "d": 5 } }',
    '{\n"q":\n{"d": 5, "e": 4}}',
    '{"0": {"0": 1 , "1": 0}}',
  ])('%s is JSON', async (text) => {
    const [, judged] = [...(await readQrels(file(text))).value.qrels][0]
    expect(judged.size).toBeGreaterThan(0)
  })
})

describe('numbers', () => {
  test("hexadecimal scores are refused; lenient reading takes and counts them, as C's atof does", async () => {
    const path = file('q Q0 a 2 0x1.8p3 t\nq Q0 b 1 0x1A t\nq Q0 c 3 -0x.8 t\n')
    await expect(readRun(path)).rejects.toThrow(
      '3: the score `-0x.8` is not a finite number in decimal digits',
    )
    const { value, notices } = await readRun(path, { lenient: true })
    expect(content(value).rows).toEqual(['q\u0000a\u000012', 'q\u0000b\u000026', 'q\u0000c\u0000-0.5'])
    expect(notices).toEqual({ 'scores that are not finite decimal numbers, read as C does': 3 })
  })
  test.each([
    ['q 0 a 1.0\nq 0 b 2\n', 'one.qrels'],
    ['query-id\tcorpus-id\tscore\nq\ta\t1.0\nq\tb\t2\n', 'one.tsv'],
    ['qid,docno,label\nq,a,1.0\nq,b,2.\n', 'one.csv'],
    ['{"q": {"a": 1.0, "b": 2}}', 'one.json'],
  ])('1.0 is a grade and 1.5 is none: %j', async (text, name) => {
    const { value } = await readQrels(file(text, name))
    expect(Object.fromEntries(value.qrels.get('q') ?? [])).toEqual({ a: 1, b: 2 })
    const half = file(text.replace('1.0', '1.5'), `half-${name}`)
    await expect(readQrels(half)).rejects.toThrow('the grade `1.5` is not a whole number')
  })
  test('whole numbers are ids in Parquet, with every digit; null, fractions, NaN and booleans are refused by row', async () => {
    const write = (name: string, columns: object[]) => {
      const path = join(folder, name)
      parquetWriteFile({ filename: path, columnData: columns as never })
      return path
    }
    const good = write('int.parquet', [
      { name: 'qid', data: [1n, 2n], type: 'INT64' },
      { name: 'docid', data: [9007199254740993n, 7n], type: 'INT64' },
      { name: 'score', data: [2, 1], type: 'INT32' },
    ])
    const { value } = await readRun(good)
    expect([...value.queries].map(([query, { ids }]) => [query, ...ids])).toEqual([
      ['1', '9007199254740993'],
      ['2', '7'],
    ])
    expect((await readQrels(good)).value.qrels.get('2')).toEqual(new Map([['7', 1]]))
    const bad = write('bad.parquet', [
      { name: 'qid', data: [1.5, 2, null, 4], type: 'DOUBLE' },
      { name: 'docid', data: ['a', null, 'c', 'd\0'], type: 'STRING' },
      { name: 'score', data: [1, 1, 1, 1], type: 'INT32' },
    ])
    await expect(
      readRun(bad).catch((error) => Promise.reject(error.message.replaceAll(bad, ''))),
    ).rejects.toBe(
      [
        ", row 1: the query's id is the number 1.5; an id is a text or a whole number",
        ", row 2: the document's id is null; an id is a text or a whole number",
        ", row 3: the query's id is null; an id is a text or a whole number",
        `, row 4: the document's id holds a control character: "d\\u0000"`,
      ].join('\n'),
    )
    const flags = write('flags.parquet', [
      { name: 'qid', data: ['q', 'q'], type: 'STRING' },
      { name: 'docid', data: ['a', 'b'], type: 'STRING' },
      { name: 'score', data: [true, false], type: 'BOOLEAN' },
    ])
    await expect(readRun(flags)).rejects.toThrow('row 1: the score the boolean true is not a finite number')
    await expect(readQrels(flags, { lenient: true })).rejects.toThrow(
      'row 1: the grade the boolean true is not',
    )
  })
  test('a NUL in an id is refused however leniently a file is read', async () => {
    for (const lenient of [false, true]) {
      await expect(readRun(file('q Q0 a\0b 1 2 t\n'), { lenient })).rejects.toThrow(
        'holds a control character',
      )
      await expect(readQrels(file('q\0 0 a 1\n'), { lenient })).rejects.toThrow('holds a control character')
      await expect(readRun(file('{"q": {"a\\u0000": 1}}'), { lenient })).rejects.toThrow('control character')
    }
  })
  test('of spreadsheets and joined files are read, or refused with the cause', async () => {
    const rows = 'qid,docid,score\rq,a,0.9\rq,b,0.8\r'
    expect((await readRun(file(rows, 'mac.csv'))).value.queries.get('q')?.ids).toEqual(['a', 'b'])
    expect((await readRun(file('q Q0 a 1 2 t\n\ufeffq Q0 b 2 1 t\n'))).value.queries.get('q')?.ids).toEqual([
      'a',
      'b',
    ])
    await expect(readRun(file('qid;docid;score\nq;a;0,9\n', 'comma.csv'))).rejects.toThrow(
      'the score `0,9` is not a finite number in decimal digits; write a point in place of the comma',
    )
    await expect(readRun(file('qid,docid,score\nq, "a",1\n', 'blank.csv'))).rejects.toThrow(
      ':2: a blank stands before a quote; remove the blanks behind the separators',
    )
    await expect(readQrels(file('qid,docid,label\nq,a,good\nq,b,bad\n', 'names.csv'))).rejects.toThrow(
      '`label` has names in place of grades: good, bad',
    )
  })
  test('a grade beyond 32 bits is refused in every format, however leniently it is read', async () => {
    for (const [text, name] of [
      ['q 0 a 4294967297\n', 'wide.qrels'],
      ['query-id\tcorpus-id\tscore\nq\ta\t4294967297\n', 'wide.tsv'],
      ['qid,docid,grade\nq,a,4294967297\n', 'wide.csv'],
      ['{"q": {"a": 4294967297}}', 'wide.json'],
    ])
      for (const lenient of [false, true])
        await expect(readQrels(file(text, name), { lenient })).rejects.toThrow(
          'the grade `4294967297` is not a whole number of 32 bits',
        )
  })
})

describe('patterns of paths', () => {
  test('with thousands of stars end, and mean what they mean', { timeout: 20_000 }, () => {
    const long = 'a'.repeat(200)
    for (const name of ['ab.trec', 'abc.trec', long]) file('', name)
    const found = (pattern: string) =>
      expandPaths([join(folder, pattern)]).map((path) => path.slice(folder.length + 1))
    expect(found('a?.tr*')).toEqual(['ab.trec'])
    expect(found('**ab*.t**c')).toEqual(['ab.trec', 'abc.trec'])
    expect(() => found(`${'a*'.repeat(3000)}b`)).toThrow('nothing matches')
    expect(() => found(`${'*a'.repeat(150)}b*`)).toThrow('nothing matches')
    expect(found(`${'*a'.repeat(150)}*`)).toEqual([long])
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
function asNobody(what: () => void): void {
  const root = process.getuid?.() === 0
  if (root) process.seteuid?.(65_534)
  try {
    what()
  } finally {
    if (root) process.seteuid?.(0)
  }
}
