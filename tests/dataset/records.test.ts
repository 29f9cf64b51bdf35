import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { clusterQueries, fieldOf, sharedGold } from '../../src/dataset/clusters.ts'
import {
  compareSpans,
  documentRows,
  overlaps,
  parseSpanId,
  relevantSpans,
  spanId,
  spanRows,
} from '../../src/dataset/collapse.ts'
import {
  answersIn,
  brokenAnswers,
  passagesIn,
  takeContexts,
  textIn,
  textsOf,
} from '../../src/dataset/contexts.ts'
import { eachFileLine, reasonOf } from '../../src/dataset/lines.ts'
import { isWanted, plain } from '../../src/dataset/mongoexport.ts'
import { eachQuestion, poolPassages } from '../../src/dataset/questions-file.ts'
import {
  documentOf,
  fieldsBeside,
  idField,
  misplacedFields,
  parseRecord,
  queryOf,
  textField,
} from '../../src/dataset/records.ts'
import { eachRecord, idOf, readJsonObject, readRows } from '../../src/dataset/rows.ts'
import { sampleQueries } from '../../src/dataset/sample.ts'
import type { DatasetSink } from '../../src/dataset/sink.ts'
import { openSource } from '../../src/dataset/source.ts'
import type { Dataset } from '../../src/dataset/types.ts'
import { writeBeir } from '../../src/dataset/write-beir.ts'
import { questionsOf } from '../../src/dataset/write-questions.ts'
import { isZip, unpackZip } from '../../src/dataset/zip.ts'
import type { Diagnostic } from '../../src/errors.ts'
import { sha256 } from '../../src/store/hash.ts'
import type { Json, JudgedQuery } from '../../src/types.ts'
import { temporaryFolder } from '../temporary.ts'

/** Remembers what it is given. */
function listening() {
  const wrong: string[] = []
  const notices: string[] = []
  const given: unknown[][] = []
  const keep =
    (kind: string) =>
    (...what: unknown[]) =>
      void given.push([kind, ...what])
  const sink = {
    document: keep('document'),
    query: keep('query'),
    qrel: keep('qrel'),
    diagnostic: ({ file, line, column, message }: Diagnostic) =>
      void wrong.push([file, line, column, ` ${message}`].filter((part) => part !== undefined).join(':')),
    notice: (message: string) => void notices.push(message),
  } as unknown as DatasetSink
  return { sink, wrong, notices, given }
}
const PLACE = { file: 'f', line: 3 }

describe('fields of a record', () => {
  test.each<[Record<string, unknown>, string | undefined, string[]]>([
    [{ id: 'a' }, 'a', []],
    [{ id: 7 }, '7', []],
    [{ id: 'a\ud800' }, 'a\ufffd', []],
    [{}, undefined, ['f:3: has no "id"']],
    [{ id: 1.5 }, undefined, ['f:3: "id" is the number 1.5; an id is a text or a whole number']],
    [{ id: null }, undefined, ['f:3: "id" is null; an id is a text or a whole number']],
  ])('an id is a text or a whole number: %j', (fields, id, errors) => {
    const { sink, wrong } = listening()
    expect([idField(fields, 'id', PLACE, sink), wrong]).toEqual([id, errors])
    expect(idField(Object.create({ id: 'inherited' }), 'id', PLACE, sink)).toBeUndefined()
  })

  test.each<[Record<string, unknown>, string | undefined, string | undefined, string[]]>([
    [{ t: 'a' }, 'x', 'a', []],
    [{ t: '' }, 'x', '', []],
    [{ t: 'a\ud800' }, undefined, 'a\ufffd', []],
    [{}, 'x', 'x', []],
    [{ t: null }, '', '', []],
    [{}, undefined, undefined, ['f:3: has no "t"']],
    [{ t: null }, undefined, undefined, ['f:3: has no "t"']],
    [{ t: 5 }, 'x', undefined, ['f:3: "t" must be a string, not the number 5']],
  ])('a text is a text, or its fallback: %j, %j', (fields, fallback, text, errors) => {
    const { sink, wrong } = listening()
    expect([textField(fields, 't', PLACE, sink, fallback), wrong]).toEqual([text, errors])
  })

  test('a line is one JSON object', () => {
    const { sink, wrong } = listening()
    expect(parseRecord('{"a": 1}', PLACE, sink)).toEqual({ a: 1 })
    for (const text of ['[1]', 'null', '{"a": 1, "a": 2}', '{a'])
      expect(parseRecord(text, PLACE, sink)).toBeUndefined()
    expect(wrong).toEqual([
      'f:3: is not a JSON object but a list',
      'f:3: is not a JSON object but null',
      'f:3:10: has the key "a" twice in one object',
      expect.stringMatching(/^f:3:\d+: is not valid JSON: expected property name/),
    ])
  })

  test('a document has an id, a text and what a filter can read', () => {
    const { sink, wrong } = listening()
    const read = (fields: object) => documentOf(fields as never, { id: '_id', text: 'text' }, PLACE, sink)
    expect(
      read({
        _id: 1,
        text: 'x',
        year: 1999,
        ok: false,
        tags: ['a'],
        none: [],
        mixed: [1],
        deep: {},
        gone: null,
      }),
    ).toEqual({ id: '1', title: '', text: 'x', metadata: { year: 1999, ok: false, tags: ['a'] } })
    expect(read({ _id: 'a', title: 't', text: 'x', year: 1, metadata: { year: 2 } })).toEqual({
      id: 'a',
      title: 't',
      text: 'x',
      metadata: { year: 2 },
    })
    expect(wrong).toEqual([])
    for (const fields of [{}, { _id: 'a' }, { text: 'x' }, { _id: 'a', text: 'x', title: 5 }])
      expect(read(fields)).toBeUndefined()
    expect(read({ _id: 'a', text: 'x', metadata: ['m'] })).toBeUndefined()
    expect(wrong).toEqual([
      'f:3: has no "_id"',
      'f:3: has no "text"',
      'f:3: has no "text"',
      'f:3: has no "_id"',
      'f:3: "title" must be a string, not the number 5',
      'f:3: "metadata" must be an object, not a list',
    ])
    expect(fieldsBeside({ a: 1, b: '', c: true }, ['a'])).toEqual({ b: '', c: true })
  })

  test('of a query its gold leaves the metadata', () => {
    const { sink, wrong } = listening()
    const read = (metadata?: unknown) =>
      queryOf({ id: 'q', text: 'x', metadata }, { id: 'id', text: 'text' }, PLACE, sink)
    const plain = { id: 'q', text: 'x', metadata: {}, category: null, answers: [], answerable: true }
    expect(read()).toEqual(plain)
    expect(read({ category: 'c', answers: 'a', answerable: false, evidence: ['e'], year: 1 })).toEqual({
      ...plain,
      metadata: { year: 1 },
      category: 'c',
      answers: ['a'],
      answerable: false,
      evidence: ['e'],
    })
    expect(read({ evidence: [] })).toEqual({ ...plain, metadata: { evidence: [] } })
    expect(read({ evidence: 'e', answers: ['a', 'b'] })).toEqual({
      ...plain,
      metadata: { evidence: 'e' },
      answers: ['a', 'b'],
    })
    expect(wrong).toEqual([])
    for (const metadata of [{ category: 5 }, { answers: [5] }, { answers: 5 }, { answerable: 'no' }, 'm'])
      expect(read(metadata)).toBeUndefined()
    expect(queryOf({ text: 'x' }, { id: 'id', text: 'text' }, PLACE, sink)).toBeUndefined()
    expect(queryOf({ id: 'q' }, { id: 'id', text: 'text' }, PLACE, sink)).toBeUndefined()
    expect(wrong).toEqual([
      'f:3: "metadata.category" must be a string, not the number 5',
      'f:3: "metadata.answers" must be a list of strings, not a list',
      'f:3: "metadata.answers" must be a list of strings, not the number 5',
      'f:3: "metadata.answerable" must be true or false, not the string "no"',
      'f:3: "metadata" must be an object, not the string "m"',
      'f:3: has no "id"',
      'f:3: has no "text"',
    ])
  })

  test('that are not read are counted by query', () => {
    const notice = (...queries: object[]) => {
      const { sink, notices } = listening()
      const seen = misplacedFields('f', sink)
      for (const query of queries) seen.see(query as never)
      seen.close()
      return notices
    }
    expect(notice({ text: 'x' }, { category: 'c', metadata: { category: 'd' } })).toEqual([])
    expect(notice({ category: 'c', metadata: 5 }, {})).toEqual([
      'f: 1 query has "category" outside of "metadata" and so not read; move it there',
    ])
    expect(notice({ answers: [], evidence: [] }, { answers: [] })).toEqual([
      'f: 2 queries have "answers", "evidence" outside of "metadata" and so not read; move them there',
    ])
    const more = { instruction: 'Find.', title: '', note: null, metadata: { answer: 'Orr', kind: 'x' } }
    expect(notice(more, { metadata: { answer: 'Orr', answers: ['Orr'] } })).toEqual([
      'f: not read of queries: "instruction", "metadata.answer"; answers are read from "metadata": {"answers": [...]}',
    ])
  })
})

describe('records of a file', () => {
  const read = async (name: string, content: string | Uint8Array) => {
    const { sink, wrong, notices } = listening()
    const folder = temporaryFolder({ [name]: content })
    const rows = await readRows(folder, name, sink)
    return {
      rows: rows.map(({ fields, location }) => [fields, location.file, location.line]),
      wrong,
      notices,
    }
  }
  const good = (...rows: unknown[]) => ({ rows, wrong: [], notices: [] })

  test('are those of CSV and TSV, by the names of the header, with their lines', async () => {
    expect(await read('f.csv', ' a ,b\n1,2\n\n"3\nx",4\n')).toEqual(
      good([{ a: '1', b: '2' }, 'f.csv', 2], [{ a: '3\nx', b: '4' }, 'f.csv', 4]),
    )
    expect(await read('f.tsv', 'a\tb\n1,5\t2\n')).toEqual(good([{ a: '1,5', b: '2' }, 'f.tsv', 2]))
    expect(await read('f.tsv.gz', gzipSync('a\n1\n'))).toEqual(good([{ a: '1' }, 'f.tsv.gz', 2]))
    expect(await read('f.csv', '')).toEqual(good())
    expect(await read('f.csv', '\na,b,a\n1,2,3\n')).toEqual({
      rows: [],
      notices: [],
      wrong: ['f.csv:2: has the column `a` twice; rename one'],
    })
    expect(await read('f.csv', 'a,b\n1\n2,3,4\n"5"x,6\n7,8\n')).toEqual({
      rows: [[{ a: '7', b: '8' }, 'f.csv', 5]],
      notices: [],
      wrong: [
        'f.csv:2: has 1 fields, and the header has 2',
        'f.csv:3: has 3 fields, and the header has 2',
        'f.csv:4: a field holds a quote; put the field in quotes and double the quote inside it',
      ],
    })
    expect((await read('f.tsv', 'a\n"x"\n')).notices).toEqual([
      'f.tsv: 1 field begins and ends with a quote, which is kept as text; if a spreadsheet wrote them, save the file as CSV',
    ])
  })

  test('are those of JSON lines, of a list, or one object', async () => {
    expect(await read('f.jsonl', '{"a": 1}\r\n\n{"a": 2}')).toEqual(
      good([{ a: 1 }, 'f.jsonl', 1], [{ a: 2 }, 'f.jsonl', 3]),
    )
    expect(await read('f.json', '{"a": 1}\n{"a": 2}')).toEqual(
      good([{ a: 1 }, 'f.json', 1], [{ a: 2 }, 'f.json', 2]),
    )
    expect(await read('f.json', ' {"a":\n 1}')).toEqual(good([{ a: 1 }, 'f.json', 1]))
    expect(await read('f.json.gz', gzipSync(' [{"a": 1}, 5, {"a": 2}]'))).toEqual({
      rows: [
        [{ a: 1 }, 'f.json.gz, question 1', undefined],
        [{ a: 2 }, 'f.json.gz, question 3', undefined],
      ],
      notices: [],
      wrong: ['f.json.gz, question 2: is not an object but the number 5'],
    })
    expect((await read('f.json', '[{"a": 1,\n "a": 2}]')).wrong).toEqual([
      'f.json:2:2: has the key "a" twice in one object',
    ])
    expect((await read('f.json', Buffer.from('\xff\xfe', 'latin1'))).wrong).toEqual([
      'f.json: is UTF-16; save it as UTF-8',
    ])
    expect((await read('f.json.gz', gzipSync('[{"a": 1}]').subarray(0, 15))).wrong).toEqual([
      'f.json.gz: cannot be read: the gzip file is cut off',
    ])
    expect((await read('f.json.gz', 'no gzip')).wrong).toEqual([
      'f.json.gz: cannot be read: it is no gzip file, or a damaged one',
    ])
    expect(reasonOf('EIO')).toBe('EIO')
  })

  test('are those of every shard that the first one names', async () => {
    const name = (index: number) => `x-0000${index}-of-00003.jsonl`
    const folder = temporaryFolder({ [name(0)]: '{"a": 0}', [name(1)]: '{"a": 1}', [name(2)]: '{"a": 2}' })
    const { sink } = listening()
    const read = async (file: string) => (await readRows(folder, file, sink)).map(({ fields }) => fields.a)
    expect(await read(name(0))).toEqual([0, 1, 2])
    expect(await read(name(1))).toEqual([1])
    const found: unknown[] = []
    await eachRecord(join(folder, name(2)), sink, (fields, location) => found.push(fields, location))
    expect(found).toEqual([{ a: 2 }, { file: name(2), line: 1 }])
  })

  test('of a file that is missing are an error', async () => {
    const { sink, wrong } = listening()
    const folder = temporaryFolder()
    expect(await readRows(folder, 'no.csv', sink)).toEqual([])
    expect(await readRows(folder, 'no.jsonl', sink)).toEqual([])
    expect(await readRows(folder, 'no.parquet', sink)).toEqual([])
    expect(wrong.map((one) => one.slice(0, 40))).toEqual([
      'no.csv: there is no such file',
      'no.jsonl: there is no such file',
      expect.stringMatching(/^no\.parquet: is not a readable Parquet/),
    ])
  })

  test('an object in a JSON file, or what it is', () => {
    const { sink, wrong } = listening()
    const folder = temporaryFolder({ a: '{"x": 1}', b: '[]', c: '{\n"x": 1, "x": 2}', d: 'null' })
    const objects = ['a', 'b', 'c', 'd', 'e'].map((name) => readJsonObject(join(folder, name), sink))
    expect(objects).toEqual([{ x: 1 }, undefined, undefined, undefined, undefined])
    expect(wrong).toEqual([
      'b: is not a JSON object',
      'c:2:9: has the key "x" twice in one object',
      'd: is not a JSON object',
      'e: there is no such file',
    ])
  })

  test('lines are counted with blank ones; bytes that are no UTF-8 have the line before them', async () => {
    const lines = async (content: string | Uint8Array, name = 'f') => {
      const { sink, wrong } = listening()
      const found: unknown[] = []
      const count = await eachFileLine(temporaryFolder({ [name]: content }), name, sink, (...one) =>
        found.push(one),
      )
      return [count, found, wrong]
    }
    expect(await lines('\ufeffa\r\n \nb\nc')).toEqual([
      3,
      [
        ['a', 1],
        ['b', 3],
        ['c', 4],
      ],
      [],
    ])
    expect(await lines('')).toEqual([0, [], []])
    expect(await lines('a\n')).toEqual([1, [['a', 1]], []])
    expect(await lines(gzipSync('a\nb'), 'f.gz')).toEqual([
      2,
      [
        ['a', 1],
        ['b', 2],
      ],
      [],
    ])
    expect(await lines(Buffer.from('\xe9', 'latin1'))).toEqual([
      1,
      [],
      ['f:1: is not UTF-8 from here on; save the file as UTF-8'],
    ])
    expect(await lines(Buffer.from('PK\x03\x04\xff', 'latin1'))).toEqual([
      1,
      [],
      ['f:1: is a zip file, or a document of Office; unpack it, or save it as text'],
    ])
    expect(await lines('no gzip', 'f.gz')).toEqual([
      1,
      [],
      ['f.gz: cannot be read: it is no gzip file, or a damaged one'],
    ])
  })

  test('an id of any form', () => {
    const { sink, wrong } = listening()
    expect(['a', 7, 'a\ud800', ''].map((id) => idOf(id, 'query', PLACE, sink))).toEqual([
      'a',
      '7',
      'a\ufffd',
      undefined,
    ])
    expect(wrong).toEqual(['f:3: the query id is empty'])
  })

  test('equal passages are one document, known by its text', async () => {
    const { sink, given } = listening()
    const pool = poolPassages(sink)
    const id = sha256('t\nx').slice(0, 16)
    expect([pool('t', 'x', PLACE), pool('t', 'x', PLACE), pool('', 't\nx', PLACE) === id]).toEqual([
      id,
      id,
      false,
    ])
    expect(given.map(([, document]) => document)).toEqual([
      { id, title: 't', text: 'x', metadata: {} },
      { id: sha256('\nt\nx').slice(0, 16), title: '', text: 't\nx', metadata: {} },
    ])
    const questions: unknown[] = []
    await eachQuestion(join(temporaryFolder({ 'f.json': '5' }), 'f.json'), sink, (one) => questions.push(one))
    expect(questions).toEqual([])
  })
})

describe('values of mongoexport', () => {
  test.each<[Json, Json]>([
    [{ $oid: 'a' }, 'a'],
    [{ $uuid: 'a' }, 'a'],
    [{ $symbol: 'a' }, 'a'],
    [{ $date: '2026-01-27T10:00:00Z' }, '2026-01-27T10:00:00Z'],
    [{ $date: { $numberLong: '0' } }, '1970-01-01T00:00:00.000Z'],
    [{ $date: { $numberLong: '9e99' } }, null],
    [{ $numberInt: '12' }, 12],
    [{ $numberDouble: 'NaN' }, null],
    [{ $numberDecimal: '1.5' }, 1.5],
    [{ $undefined: true }, null],
    [
      { $oid: 'a', other: 1 },
      { $oid: 'a', other: 1 },
    ],
    [
      [{ $numberLong: '3' }, null, 'x'],
      [3, null, 'x'],
    ],
    [{ a: { $oid: 'b' } }, { a: 'b' }],
  ])('%j is %j', (given, value) => {
    expect(plain(given)).toEqual(value)
  })

  test('a record is wanted if each field has one of its values, as text', () => {
    const record = { book: 'gm', page: 12, tags: ['a', 'b'] } as never
    expect(
      [{}, { book: 'gm' }, { book: ['x', 'gm'], page: '12' }, { tags: 'b' }].map((where) =>
        isWanted(record, where as never),
      ),
    ).toEqual([true, true, true, true])
    expect(
      [{ book: 'x' }, { book: 'gm', page: 13 }, { none: 'x' }, { toString: 'x' }].map((where) =>
        isWanted(record, where as never),
      ),
    ).toEqual([false, false, false, false])
  })
})

describe('spans', () => {
  const span = (documentId: string, start: number, end: number, grade?: number) => ({
    documentId,
    start,
    end,
    ...(grade !== undefined && { grade }),
  })

  test('overlap where they share a character', () => {
    const chunk = span('a', 10, 20)
    expect(
      [
        [0, 10],
        [0, 11],
        [19, 30],
        [20, 30],
        [12, 13],
        [0, 99],
      ].map(([start, end]) => overlaps(chunk, span('a', start, end))),
    ).toEqual([false, true, true, false, true, true])
    expect(overlaps(chunk, span('b', 10, 20))).toBe(false)
    const chunks = [span('a', 0, 5), span('a', 5, 9), span('b', 0, 5)]
    expect(
      spanRows([span('a', 4, 6), span('c', 0, 1), span('b', 1, 2)], chunks).map((rows) => [...rows]),
    ).toEqual([[0, 1], [], [2]])
  })

  test('have names, an order and grades', () => {
    expect([
      spanId(span('a:1-2', 3, 4)),
      parseSpanId('a:1-2:3-4'),
      parseSpanId('a'),
      parseSpanId(':0-1'),
    ]).toEqual(['a:1-2:3-4', span('a:1-2', 3, 4), undefined, span('', 0, 1)])
    const spans = [span('b', 0, 1), span('a', 2, 3), span('a', 1, 9), span('a', 1, 2)]
    expect([...spans].sort(compareSpans).map(spanId)).toEqual(['a:1-2', 'a:1-9', 'a:2-3', 'b:0-1'])
    expect(
      relevantSpans([span('a', 0, 1), span('b', 0, 1, 0), span('c', 0, 1, 1), span('d', 0, 1, 2)]).map(
        ({ documentId }) => documentId,
      ),
    ).toEqual(['a', 'c', 'd'])
    expect(relevantSpans(undefined)).toEqual([])
  })

  test('chunks have the rows of their documents, in any order', () => {
    const documents = ['a', 'b', 'c'].map((id) => ({ id }))
    const rows = (...ids: string[]) => [
      ...documentRows(
        ids.map((documentId, i) => ({ id: `k${i}`, documentId })),
        documents,
      ),
    ]
    expect([rows('a', 'a', 'b', 'c'), rows('c', 'a', 'b'), rows()]).toEqual([[0, 0, 1, 2], [2, 0, 1], []])
    expect(() => rows('a', 'x')).toThrow('chunk k1 is of document x, which is not in the corpus')
  })
})

describe('contexts of questions', () => {
  test.each<[Json | undefined, object[]]>([
    [undefined, []],
    [null, []],
    [' ', []],
    [' x ', [{ text: ' x ' }]],
    ['["a", "b"]', [{ text: 'a' }, { text: 'b' }]],
    ["['a', 'b']", [{ text: 'a' }, { text: 'b' }]],
    ['{"text": "a", "title": "t"}', [{ text: 'a', title: 't' }]],
    ['[see 1] a', [{ text: '[see 1] a' }]],
    [5, [{ text: '5' }]],
    [
      [['a'], { content: 'b', title: 5 }, { page_content: 'c' }, { pageContent: 'd' }, { passage: 'e' }],
      ['a', 'b', 'c', 'd', 'e'].map((text) => ({ text })),
    ],
    [{ other: 'x', text: 5 }, []],
  ])('passages in %j', (value, passages) => {
    expect(passagesIn(value)).toEqual(passages)
  })

  test.each<[Json | undefined, string[] | undefined]>([
    ['Orr', ['Orr']],
    [' ', []],
    [7, ['7']],
    [false, ['false']],
    [null, []],
    [
      ['a', ['b'], 3, ''],
      ['a', 'b', '3'],
    ],
    ['["a", "b"]', ['a', 'b']],
    ["['a']", ['a']],
    ['[1, 2]', ['[1, 2]']],
    ['["a", 1]', undefined],
    ['["a", "b"', undefined],
    ['["Buyer"] pays', ['["Buyer"] pays']],
  ])('answers in %j', (value, answers) => {
    expect(answersIn(value)).toEqual(answers)
    if (typeof value !== 'string') expect(textsOf(value)).toEqual(answers)
  })

  test('an answer that is no list is quoted, and an object is no text', () => {
    expect(brokenAnswers(`["${'x'.repeat(80)}`)).toBe(
      `the answer is no readable list: ${JSON.stringify(`["${'x'.repeat(58)}`)}; write it as a JSON list of texts`,
    )
    const { sink, wrong } = listening()
    expect([
      textIn(['a', 'b'], 'answer', PLACE, sink),
      textIn(['a', 'b'], 'answer', PLACE, sink, ' '),
    ]).toEqual(['a\nb', 'a b'])
    const many = Object.fromEntries('abcdefghi'.split('').map((key) => [key, 1]))
    expect(textIn(['a', [many]], 'answer', PLACE, sink)).toBeUndefined()
    expect(wrong).toEqual(['f:3: the answer must be a text, not an object with a, b, c, d, e, f, g, h'])
  })

  test('are the corpus; equal ones are one document, judged once', () => {
    const { sink, given, notices } = listening()
    const contexts = takeContexts(sink)
    const question = { text: 'x', answers: ['a'] }
    contexts.add(
      { id: 'q', ...question, gold: [{ text: 'one' }, { text: 'one' }, { title: 't', text: 'two' }] },
      PLACE,
    )
    contexts.add({ id: 'r', ...question, category: 'c', gold: [] }, PLACE)
    contexts.close()
    expect(given.map(([kind]) => kind)).toEqual(['query', 'document', 'document', 'qrel', 'qrel', 'query'])
    expect(given[0][1]).toEqual({ id: 'q', ...question, metadata: {}, category: null, answerable: true })
    expect(given[5][1]).toMatchObject({ id: 'r', category: 'c' })
    expect(notices).toEqual([
      "the corpus is the union of the questions' contexts: 2 distinct of 3; a corpus without other documents is easier to search than a real one",
      '1 questions have no context that could be gold',
    ])
    const none = listening()
    takeContexts(none.sink).close()
    expect(none.notices).toEqual([])
  })
})

describe('a source seen from outside', () => {
  const shape = (name: string, content: string | Uint8Array) => {
    const { kind, keys } = openSource(join(temporaryFolder({ [name]: content }), name)).shape(name)
    return [kind, keys]
  }

  test.each<[string, string | Uint8Array, unknown[]]>([
    ['f.jsonl', '{"a": 1, "b": {"c": 2}}\n{"d": 1}', ['records', ['a', 'b']]],
    ['f.ndjson', '{"a": [{"x": 1}], "b": "c\\"d: {"}', ['records', ['a', 'b']]],
    ['f.json', ' [ {"a": 1}, {"b": 2}]', ['records', ['a']]],
    ['f.json', '{"a": 1}\n {"b": 2}', ['records', ['a']]],
    ['f.json', '{"meta": 1, "data": [{"a": 1, "b": 2}]}', ['object', ['meta', 'data']]],
    ['f.json', '{"a": {"data": [{"x": 1}]}}', ['object', ['a']]],
    ['f.json', '["a"]', ['records', []]],
    ['f.json', '"a"', ['object', []]],
    ['f.json.gz', gzipSync('{"a": 1, "c": "d'), ['object', ['a', 'c']]],
    ['f.csv', '"a,b",c\n1,2', ['table', ['a,b', 'c']]],
    ['f.tsv', 'a,b\tc\r\n', ['table', ['a,b', 'c']]],
    ['f.csv', '', ['table', []]],
    ['f.yaml', 'a: 1\n- b: 2\n  c: 3\n', ['yaml', ['a', 'b']]],
    ['f.yml', 'a: 1', ['yaml', ['a']]],
    ['f.md', 'a: 1', ['text', []]],
    ['f.json', '{"a": "\0"}', ['binary', []]],
    ['f.gz', gzipSync('x').subarray(0, 2), ['text', []]],
    ['f.parquet', 'PAR1', ['parquet', []]],
  ])('the shape of %s: %j', (name, content, expected) => {
    expect(shape(name, content)).toEqual(expected)
  })

  test('files of a folder are those that are not hidden, five folders deep', () => {
    const folder = temporaryFolder({
      'b/c': '',
      a: '',
      '.git/x': '',
      '.hidden': '',
      '__MACOSX/x': '',
      'node_modules/x': '',
      '1/2/3/4/5/f': '',
      '1/2/3/4/5/6/g': '',
    })
    expect(openSource(folder)).toMatchObject({ isFolder: true, files: ['1/2/3/4/5/f', 'a', 'b/c'] })
    expect(openSource(join(folder, 'a'))).toMatchObject({ isFolder: false, files: ['a'] })
  })
})

describe('a zip', () => {
  const zipped = (files: Record<string, string>) =>
    join(
      temporaryFolder({
        'x.ZIP': zipSync(
          Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])),
        ),
      }),
      'x.ZIP',
    )

  test('is unpacked without what a Mac adds, and removed after', () => {
    const path = zipped({ 'a.txt': 'A', 'd/b.txt': 'B', '__MACOSX/x': '', 'd/.DS_Store': '' })
    expect([isZip(path), isZip(join(path, '..')), isZip('none.zip')]).toEqual([true, false, false])
    const { folder, remove } = unpackZip(path)
    expect(readdirSync(folder, { recursive: true }).map(String).sort()).toEqual(['a.txt', 'd', 'd/b.txt'])
    expect(readFileSync(join(folder, 'd/b.txt'), 'utf8')).toBe('B')
    remove()
    expect(() => readdirSync(folder)).toThrow('ENOENT')
  })

  test.each(['../a', 'a/../b', '/a', '\\a', 'C:/a', 'a\\b', 'a\u0001'])(
    'with the path %j is refused',
    (name) => {
      const path = zipped({ [name]: 'x' })
      expect(() => unpackZip(path)).toThrow(
        `${path}: holds a file whose path leads out of its folder: ${JSON.stringify(name)}`,
      )
    },
  )

  test('that is damaged, or unpacks to far more than its size, is refused', () => {
    const broken = join(temporaryFolder({ 'x.zip': 'no zip' }), 'x.zip')
    expect(() => unpackZip(broken)).toThrow(/is no readable zip file \(.*\); is it cut off\?$/)
    const path = zipped({ bomb: ' '.repeat(17 * 2 ** 20) })
    expect(() => unpackZip(path)).toThrow(
      /: is \d+ bytes and unpacks to more than 17 MB; unpack it and give the path of the folder if you trust it$/,
    )
    expect(() => unpackZip(join(broken, '..', 'none.zip'))).toThrow('there is no such file')
  })
})

const query = (id: string, more: Partial<JudgedQuery> = {}): JudgedQuery => ({
  id,
  text: `text of ${id}`,
  metadata: {},
  category: null,
  answers: [],
  answerable: true,
  ...more,
})
const document = (text: string, title = '') => ({
  id: sha256(`${title}\n${text}`).slice(0, 16),
  title,
  text,
  metadata: {},
})
const dataset = (more: object): Dataset =>
  ({
    documents: [],
    queries: [],
    qrels: new Map(),
    spans: new Map(),
    groups: new Map(),
    judgedUnit: 'document',
    ...more,
  }) as unknown as Dataset

describe('a dataset is written', () => {
  const written = (more: object) => {
    const folder = join(temporaryFolder(), 'new')
    writeBeir(dataset(more), folder)
    return Object.fromEntries(
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\./.test(name))
        .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
    )
  }
  const documents = [
    { id: 'a', title: 't', text: 'x', metadata: {} },
    { id: 'b', title: '', text: 'y', metadata: { year: 1 } },
  ]
  const corpus =
    '{"_id":"a","title":"t","text":"x"}\n{"_id":"b","title":"","text":"y","metadata":{"year":1}}\n'

  test('as a BEIR folder, with groups and what is known of each query', () => {
    expect(written({ documents })).toEqual({ 'corpus.jsonl': corpus })
    const queries = [
      query('q', { category: 'c', answers: ['A'], answerable: false, evidence: ['e'], metadata: { k: 1 } }),
      query('r'),
    ]
    const qrels = new Map([
      [
        'q',
        new Map([
          ['b', 1],
          ['a', 2],
        ]),
      ],
      ['r', new Map([['a', 0]])],
    ])
    const lines = `{"_id":"q","text":"text of q","metadata":{"k":1,"category":"c","answers":["A"],"answerable":false,"evidence":["e"]}}\n{"_id":"r","text":"text of r"}\n`
    expect(written({ documents, queries, qrels })).toEqual({
      'corpus.jsonl': corpus,
      'queries.jsonl': lines,
      'qrels/test.tsv': 'query-id\tcorpus-id\tscore\nq\ta\t2\nq\tb\t1\nr\ta\t0\n',
    })
    const groups = new Map([['q', [['a'], ['b', 'c']]]])
    expect(written({ documents, queries, qrels, groups })['qrels/test.tsv']).toBe(
      'query-id\tcorpus-id\tscore\tgroup\nq\ta\t2\tg1\nq\tb\t1\tg2\nr\ta\t0\t\n',
    )
    expect(written({ documents, queries: [query('q')] })['qrels/test.tsv']).toBe(
      'query-id\tcorpus-id\tscore\n',
    )
    expect(() => written({ documents, queries, qrels: new Map([['q', new Map([['a\tb', 1]])]]) })).toThrow(
      `BEIR's qrels are separated by tabs and cannot hold the id "a\\tb"`,
    )
    expect(() => written({ documents, queries, qrels: new Map([['q', new Map([[' a', 1]])]]) })).toThrow(
      '" a"',
    )
  })

  test('with spans, their groups and grades', () => {
    const queries = [query('q'), query('r')]
    const one = { documentId: 'a', start: 1, end: 2 }
    const spans = new Map([['q', [one, { ...one, start: 0, grade: 2 }]]])
    const own = { documents, queries, judgedUnit: 'span' }
    expect(written({ ...own, spans: new Map([['q', [one]]]) })).toMatchObject({
      'qrels/spans.tsv': 'query-id\tcorpus-id\tstart\tend\nq\ta\t1\t2\n',
    })
    expect(written({ ...own, spans })).not.toHaveProperty('qrels/test.tsv')
    const groups = new Map([['q', [['a:0-2']]]])
    expect(written({ ...own, spans, groups })['qrels/spans.tsv']).toBe(
      'query-id\tcorpus-id\tstart\tend\tgroup\tgrade\nq\ta\t1\t2\t\t\nq\ta\t0\t2\tg1\t2\n',
    )
  })

  test('as questions with passages: gold first, the others dealt out in turn', () => {
    const [one, two, three, four] = ['one', 'two', 'three', 'four'].map((text) => document(text, `T-${text}`))
    const same = document('other', 'T-one')
    const format = { name: 'hotpotqa', byTitle: true, why: () => '' }
    const queries = [query('q'), query('r')]
    const qrels = new Map([
      ['q', new Map([[one.id, 1]])],
      ['r', new Map([[two.id, 1]])],
    ])
    const asked = (more: object, own = format) =>
      questionsOf(dataset({ documents: [one, two, three, four], queries, qrels, ...more }), own).map(
        ({ query, passages }) => [
          query.id,
          ...passages.map(({ document, gold }) => `${document.text}${gold ? '!' : ''}`),
        ],
      )
    expect(asked({})).toEqual([
      ['q', 'one!', 'three'],
      ['r', 'two!', 'four'],
    ])
    // A passage with the title of a question's gold goes to the next question.
    expect(asked({ documents: [one, two, same, four] })).toEqual([
      ['q', 'one!'],
      ['r', 'two!', 'other', 'four'],
    ])
    const reasons = (more: object, own = format) => {
      try {
        asked(more, own)
        return []
      } catch (error) {
        return (error as Error).message
          .split('\n')
          .map((line) => line.replace('hotpotqa cannot hold this data set: ', ''))
      }
    }
    expect(reasons({ judgedUnit: 'span', groups: new Map([['q', [['a']]]]), queries: [] })).toEqual([
      'judges spans, not passages',
      'has OR-groups of gold',
      'has no queries',
    ])
    const odd = [{ ...one, id: 'x' }, { ...two, metadata: { a: 1 } }, document(' three'), four]
    expect(
      reasons({
        documents: odd,
        queries: [query('q', { answerable: false }), query('r', { metadata: { a: 1 } })],
        qrels: new Map([
          [
            'q',
            new Map([
              ['gone', 1],
              [four.id, 2],
            ]),
          ],
        ]),
      }),
    ).toEqual([
      'document `x`: its id is not the hash of its title and text',
      `document \`${two.id}\`: has metadata`,
      `document \`${odd[2].id}\`: its text begins or ends with white space`,
      'query `q`: has no answer',
      'query `q`: its gold `gone` is not in the corpus',
      `query \`q\`: \`${four.id}\` has the grade 2, not 1`,
      'query `r`: has metadata',
    ])
    expect(
      reasons({ documents: [document(' x')] }, { ...format, byTitle: false }).filter((one) =>
        one.includes('white'),
      ),
    ).toEqual([])
    expect(reasons({ documents: [one, same], queries: [query('q')] })).toEqual([
      `document \`${same.id}\`: its title is that of a gold passage of every query`,
    ])
    const many = Array.from({ length: 22 }, (_, i) => query(`q${i}`))
    expect(
      reasons({ documents: [], queries: many, qrels: new Map() }, { ...format, why: () => 'is odd' }).slice(
        -2,
      ),
    ).toEqual(['query `q19`: is odd', 'and 2 more'])
  })
})

describe('queries', () => {
  const queries = ['a', 'b', 'c', 'd'].map((id, i) =>
    query(id, { metadata: i < 2 ? { topic: { x: 1 } } : {}, category: i > 1 ? 'c' : null }),
  )
  const qrels = new Map([
    [
      'a',
      new Map([
        ['d1', 1],
        ['d2', 1],
      ]),
    ],
    ['b', new Map([['d2', 2]])],
    [
      'c',
      new Map([
        ['d2', 0],
        ['d3', 1],
      ]),
    ],
  ])
  const judged = { queries, qrels, spans: new Map(), judgedUnit: 'document' } as never as Parameters<
    typeof clusterQueries
  >[1]

  test('that share relevant gold, a document or a field are a cluster', () => {
    expect([...clusterQueries('gold', judged)]).toEqual([0, 0, 2, 3])
    const documentsOf = (chunk: string) => [chunk === 'd1' ? 'x' : 'y']
    expect([...clusterQueries('document', judged, documentsOf)]).toEqual([0, 0, 0, 3])
    expect([...clusterQueries('document', judged)]).toEqual([0, 0, 2, 3])
    expect([...clusterQueries('topic', judged)]).toEqual([0, 0, 1, 2])
    expect([...clusterQueries('category', judged)]).toEqual([0, 1, 2, 2])
    const spans = new Map([
      ['a', [{ documentId: 'd', start: 0, end: 1 }]],
      ['b', [{ documentId: 'd', start: 5, end: 6 }]],
    ])
    const spanned = { ...judged, spans, judgedUnit: 'span' } as typeof judged
    expect([...clusterQueries('gold', spanned)]).toEqual([0, 1, 2, 3])
    expect([...clusterQueries('document', spanned)]).toEqual([0, 0, 2, 3])
    expect([
      fieldOf(queries[0], 'topic'),
      fieldOf(queries[2], 'topic'),
      fieldOf(query('q', { metadata: { n: null } }), 'n'),
    ]).toEqual(['{"x":1}', null, null])
    expect(sharedGold(judged)).toEqual({ by: 'gold', queries: 2, groups: 1, largest: 2 })
    expect(sharedGold(spanned)).toEqual({ by: 'document', queries: 2, groups: 1, largest: 2 })
    const more = (count: number) => ({
      ...judged,
      queries: [...queries, ...Array.from({ length: count }, (_, i) => query(`x${i}`))],
    })
    expect([
      sharedGold(more(16))?.queries,
      sharedGold(more(17)),
      sharedGold({ ...judged, qrels: new Map() }),
    ]).toEqual([2, null, null])
  })

  test('of a sample are drawn; labels of the others leave', () => {
    const whole = dataset({ ...judged, documentsHash: 'h', hash: 'x' })
    const few = sampleQueries(whole, { queries: 2, seed: 0 })
    expect([few.sample, few.hash]).toEqual([{ queries: 2, seed: 0, of: 4 }, expect.not.stringMatching(/^x$/)])
    const ids = few.queries.map(({ id }) => id)
    expect([...few.qrels.keys()].every((id) => ids.includes(id))).toBe(true)
    const drawn = (seed: number, count = 2) =>
      sampleQueries(whole, { queries: count, seed }).queries.map(({ id }) => id)
    expect([drawn(0).length, drawn(0, 4), drawn(0, 9)]).toEqual([
      2,
      ['a', 'b', 'c', 'd'],
      ['a', 'b', 'c', 'd'],
    ])
    expect(new Set([0, 1, 2, 3, 4, 5].map((seed) => drawn(seed).join())).size).toBeGreaterThan(1)
  })
})
