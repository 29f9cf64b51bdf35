import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { detectFormat, loadDataset } from '../../src/dataset/load.ts'
import { temporaryFolder } from '../temporary.ts'

/** Files as spreadsheets, pandas and other programs write them: read rightly, or refused with the cause. */

const lines = (...items: unknown[]) => items.map((item) => `${JSON.stringify(item)}\n`).join('')
type Files = Record<string, string | Uint8Array>
const load = (files: Files, name: string, params = {}) =>
  loadDataset({ name, params: { path: '.', ...params } }, temporaryFolder(files))
const refusal = (files: Files, name: string, params = {}) =>
  load(files, name, params).then(
    () => 'taken',
    ({ message }: Error) => message,
  )

const BEIR: Files = {
  'corpus.jsonl': lines({ _id: 'd1', text: 'Lomm lies at Orr.' }, { _id: 'd2', text: 'Tarn lies inland.' }),
  'queries.jsonl': lines({ _id: 'q1', text: 'Where does Lomm lie?' }),
  'qrels/test.tsv': 'q1\td1\t1\n',
}

describe('gold of questions over a folder', () => {
  const folder = {
    'notes/lomm.md': '# Lomm\n\nAt Orr.\n\n## Trade\n\nFish.\n',
    'notes/tarn.md': 'Tarn lies inland.\n',
  }
  const asked = (file: string, text: string) =>
    load({ ...folder, [file]: text }, 'folder', { path: 'notes', questions: file })
  const line = (gold: object) => lines({ _id: 'q1', text: 'Where?', gold: [{ file: 'lomm.md', ...gold }] })

  test.each([
    [
      { heading: 'Trade' },
      'no key "heading" (did you mean "headings"?); there are file, headings, page, quote, group',
    ],
    [{ quotes: ['Fish'] }, 'no key "quotes" (did you mean "quote"?)'],
    [{ grade: 0 }, 'no key "grade"; there are file'],
  ])('with a key that is not read is refused: %j', async (gold, message) => {
    // The whole document was gold.
    await expect(asked('q.jsonl', line(gold))).rejects.toThrow(`q.jsonl:1: a piece of gold has ${message}`)
  })

  test.each(['grade', 'Relevance', 'score', 'label'])('in a table has no grade 0: %s', async (column) => {
    const table = (grade: string) => `question,file,${column}\nWhere?,lomm.md,1\nWhere?,tarn.md,${grade}\n`
    expect((await asked('q.csv', table('1.0'))).spans.get('q1')).toHaveLength(2)
    await expect(asked('q.csv', table('0'))).rejects.toThrow(
      `q.csv:1: the column "${column}" holds "0", and each row of a table of questions is gold`,
    )
    // Only relevant passages are marked.
    await expect(asked('q.csv', table(''))).rejects.toThrow(`the column "${column}" holds ""`)
    const withAnswer = table('1').replace('file,', 'answer,file,').replaceAll('?,', '?,Orr,')
    expect((await asked('q.csv', `${withAnswer}Where?,at Orr,,\n`)).queries[0].answers).toEqual([
      'Orr',
      'at Orr',
    ])
  })

  test.each([
    ['score', '0.87', '1'],
    ['label', 'easy', '0'],
  ])('in a table has no grade in a column of other values: %s', async (column, first, second) => {
    const table = `question,file,${column}\nWhere?,lomm.md,${first}\nWho?,tarn.md,${second}\n`
    expect((await asked('q.csv', table)).notices).toContain(`q.csv: column not read: "${column}"`)
    await expect(asked('q.csv', table.replace(column, 'relevance'))).rejects.toThrow(
      `q.csv:1: the column "relevance" holds "${first}"`,
    )
  })

  test('other columns of a table are named', async () => {
    const { notices } = await asked('q.csv', ',question,file,notes,empty\n0,Where?,lomm.md,why,\n')
    expect(notices).toEqual(['q.csv: column not read: "notes"'])
    const more = await asked('q.csv', 'question,file,hint,by\nWhere?,lomm.md,At Orr.,me\n')
    expect(more.notices).toContain('q.csv: columns not read: "hint", "by"')
  })

  test('answers may be a list as Python or JSON writes it; one that is cut off is refused', async () => {
    const answers = async (cell: string) =>
      (await asked('q.csv', `question,file,answers\nWhere?,lomm.md,"${cell}"\n`)).queries[0].answers
    expect(await answers("['Orr', 'at Orr']")).toEqual(['Orr', 'at Orr'])
    expect(await answers('[""Orr"", ""at Orr""]')).toEqual(['Orr', 'at Orr'])
    expect(await answers('[1, 2]')).toEqual(['[1, 2]'])
    expect(await answers('[sic] Orr')).toEqual(['[sic] Orr'])
    expect(await answers('[""Orr""] holds the mole')).toEqual(['["Orr"] holds the mole'])
    await expect(answers('[""Orr"", null]')).rejects.toThrow('q.csv:2: the answer is no readable list')
    await expect(answers("['Orr', ...]")).rejects.toThrow(
      `q.csv:2: the answer is no readable list: "['Orr', ...]"; write it as a JSON list of texts`,
    )
  })
})

test('answers of an evaluation tool may be a list as Python prints it', async () => {
  const answers = async (cell: string) =>
    (
      await load({ 'a.csv': `user_input,reference_contexts,reference\nWhere?,Lomm.,"${cell}"\n` }, 'ragas', {
        path: 'a.csv',
      })
    ).queries[0].answers
  expect(await answers("['Orr', 'at Orr']")).toEqual(['Orr', 'at Orr'])
  await expect(answers("['Orr', ...]")).rejects.toThrow('a.csv:2: the answer is no readable list')
})

describe('nan, as pandas writes missing values', () => {
  test.each(['nan', 'NaN', '<NA>', ' NaT ', '#N/A'])(
    'is no text of a document or query: %s',
    async (word) => {
      const corpus = `${BEIR['corpus.jsonl']}${lines({ _id: 'd3', text: word })}`
      expect(await refusal({ ...BEIR, 'corpus.jsonl': corpus }, 'beir')).toContain(
        `corpus.jsonl:3: document "d3" has the text "${word}", which programs write for a missing value`,
      )
      const queries = lines({ _id: 'q1', text: word })
      expect(await refusal({ ...BEIR, 'queries.jsonl': queries }, 'beir')).toContain(
        `queries.jsonl:1: query "q1" has the text "${word}", which programs write for a missing value`,
      )
    },
  )

  test('is no text of a document, which --allow-empty leaves out', async () => {
    const corpus = `${BEIR['corpus.jsonl']}${lines({ _id: 'd3', text: 'nan' }, { _id: 'd4', title: 'Nan', text: 'nan' })}`
    const files = { ...BEIR, 'corpus.jsonl': corpus }
    const { documents, notices } = await load(files, 'beir', { emptyDocuments: 'count' })
    expect(documents.map(({ id, text }) => [id, text]).slice(2)).toEqual([['d4', '']])
    expect(notices).toContain('1 documents without text and title are left out')
  })

  test('is no context of a question', async () => {
    const files = { 'a.csv': 'user_input,reference_contexts\nWhere?,Lomm.\nWho?,nan\n' }
    expect(await refusal(files, 'ragas', { path: 'a.csv' })).toContain('a.csv:3: document')
  })

  test('as a title or an answer is counted; words that hold it are texts', async () => {
    const { notices, documents } = await load(
      {
        ...BEIR,
        'corpus.jsonl': lines(
          { _id: 'd1', title: 'nan', text: 'Lomm lies at Orr.' },
          { _id: 'd2', title: 'Nan', text: 'A nan is a bread.' },
        ),
        'queries.jsonl': lines({ _id: 'q1', text: 'Where?', metadata: { answers: ['nan'] } }),
      },
      'beir',
    )
    expect(documents).toHaveLength(2)
    expect(notices).toEqual([
      '1 documents have the title "nan" or the like, which programs write for a missing value; leave it empty if there is none',
      '1 queries have the answer "nan" or the like, which programs write for a missing value; leave it empty if there is none',
    ])
  })
})

test.each([
  ['UTF-16', Buffer.from('\ufeff{"_id": "d1"}', 'utf16le'), 'is UTF-16; save it as UTF-8'],
  ['gzip', gzipSync('{}'), 'is a gzip file; give its name the ending .gz'],
  ['Zstandard', Buffer.from('28b52ffd2004', 'hex'), 'is compressed with Zstandard; unpack it'],
  ['zip', Buffer.from('504b030414ff', 'hex'), 'is a zip file, or a document of Office'],
  [
    'Windows-1252',
    Buffer.from('{"_id": "é"}\n', 'latin1'),
    'is not UTF-8 from here on; save the file as UTF-8',
  ],
])('a corpus in %s says what it is', async (_, bytes, message) => {
  expect(await refusal({ ...BEIR, 'corpus.jsonl': bytes }, 'beir')).toContain(`corpus.jsonl:1: ${message}`)
})

test('a packed corpus that is none, is cut off, or is packed otherwise says so', async () => {
  const { 'corpus.jsonl': corpus, ...rest } = BEIR
  const packed = gzipSync(corpus)
  expect(await refusal({ ...rest, 'corpus.jsonl.gz': corpus }, 'beir')).toContain(
    'corpus.jsonl.gz: cannot be read: it is no gzip file, or a damaged one',
  )
  expect(await refusal({ ...rest, 'corpus.jsonl.gz': packed.subarray(0, 50) }, 'beir')).toContain(
    'corpus.jsonl.gz: cannot be read: the gzip file is cut off',
  )
  expect(await refusal({ ...rest, 'corpus.jsonl.zst': 'x', 'Corpus.jsonl': 'x' }, 'beir')).toContain(
    'corpus.jsonl: is missing; the folder has Corpus.jsonl, corpus.jsonl.zst: give it this name',
  )
})

test('a `<` in a TREC topic or document is a sign, and no end of the text; headers of pages are no text', async () => {
  const { queries, documents } = await load(
    {
      'd.sgml':
        '<DOC>\n<DOCNO>A-1</DOCNO>\n<DOCHDR>http://x\nHTTP/1.1 200\n</DOCHDR>\n<script type="x">var x</script>\nif i <n then <B>stop</B>\n</DOC>\n',
      topics: '<top>\n<num> Number: 301\n<title> price < 5 dollars\n<desc> x\n</top>\n',
      'qrels.txt': '301 0 A-1 1\n',
    },
    'trec',
  )
  expect(queries[0].text).toBe('price < 5 dollars')
  expect(documents[0].text).toBe('if i <n then stop')
})

test('topics of TREC that are no UTF-8 are refused', async () => {
  const files = {
    'd.sgml': '<DOC>\n<DOCNO>A-1</DOCNO>\nx\n</DOC>\n',
    topics: Buffer.from('<top>\n<num> 301\n<title> Caf\xe9\n</top>\n', 'latin1'),
    'qrels.txt': '301 0 A-1 1\n',
  }
  expect(await refusal(files, 'trec')).toMatch(/topics: .*UTF-8/)
})

test('an entity of TREC that HTML lacks stays, though it begins with one that HTML has', async () => {
  const { documents } = await load(
    {
      'd.sgml': '<DOC>\n<DOCNO>A-1</DOCNO>\n<TEXT>&copy; a?b=1&copyright;2 &notit; &semi;</TEXT>\n</DOC>\n',
      topics: '<top>\n<num> 301\n<title> x\n</top>\n',
      'qrels.txt': '301 0 A-1 1\n',
    },
    'trec',
  )
  expect(documents[0].text).toBe('© a?b=1&copyright;2 &notit; ;')
})

describe('a file in a folder', () => {
  const notesOf = async (files: Files) =>
    (await load({ ...files, 'n/z.md': '# Z\n\nText.\n' }, 'folder', { path: 'n' })).notices.join('\n')
  const latin = (text: string) => Buffer.from(text, 'latin1')

  test('in another encoding is read as it declares, or as it looks, which is told', async () => {
    const page = (head: string) =>
      latin(`<html><head>${head}</head><body><p>na\xefve caf\xe9</p></body></html>`)
    for (const head of [
      '<meta charset="iso-8859-1">',
      '<meta http-equiv="Content-Type" content="text/html; charset=windows-1252">',
    ]) {
      const { documents, notices } = await load({ 'n/a.html': page(head) }, 'folder', { path: 'n' })
      expect([documents[0].text, notices]).toEqual(['na\xefve caf\xe9', []])
    }
    const words = "L'\xe9t\xe9 \xe0 la plage est tr\xe8s agr\xe9able, et le caf\xe9 aussi."
    const guess = 'read as ISO-8859-1, the likeliest encoding; save as UTF-8 to be sure'
    expect(await notesOf({ 'n/a.txt': latin(words), 'n/b.md': latin(words), 'n/c.html': latin(words) })).toBe(
      `3 files ${guess}: n/a.txt, n/b.md, n/c.html`.replaceAll('n/', ''),
    )
  })

  test('with front matter that cannot be read, rows without a text, or no names of columns is told', async () => {
    const kept = 'with front matter that is no valid YAML, which stays in the text'
    expect(
      await notesOf({
        'n/a.md': '---\ntitle: a: b\n---\n\n# A\n',
        'n/b.md': '+++\ntitle = "b"\n+++\n\n# B\n',
        'n/c.md': '---\n\nA rule: [\n\n---\n',
        'n/d.csv': 'id,text,note\n1,a,x\n2,,only a note\n3,,\n',
        'n/e.csv': '1,Lomm\n2,Tarn\n',
        'n/f.csv': '2023,text\n1,Tarn\n',
      }),
    ).toBe(
      [
        '1 file with a table whose first row is read as names of columns and begins with a number: e.csv',
        `2 files ${kept}: a.md, b.md`,
        '1 file with rows without a text (1), not read: d.csv',
      ].join('\n'),
    )
  })

  test('parts that a reader leaves out are counted over all files', async () => {
    const archive = readFileSync(
      join(import.meta.dirname, '../golden/documents/pdf-pages-without-text/archive.pdf'),
    )
    expect(await notesOf({ 'n/a.pdf': archive, 'n/b.pdf': archive })).toBe(
      '2 files with pages without text (4 of 6), not read: a.pdf, b.pdf',
    )
  })

  test('is found by gold in any Unicode form of its name', async () => {
    const question = lines({
      _id: 'q',
      text: 'Where?',
      gold: [{ file: 're\u0301sume\u0301.md', quote: 'At Orr' }],
    })
    for (const name of ['r\xe9sum\xe9.md', 're\u0301sume\u0301.md']) {
      const files = { [`n/${name}`]: 'At Orr.\n', 'q.jsonl': question.normalize() }
      const { spans } = await load(files, 'folder', { path: 'n', questions: 'q.jsonl' })
      expect(spans.get('q')).toHaveLength(1)
    }
  })

  test('of JSON with a text in each record of its list has a document a record', async () => {
    const records = [
      { id: 'x', text: 'Lomm', year: 3 },
      { id: 'y', text: 'Tarn' },
    ]
    const { documents } = await load(
      {
        'n/a.json': JSON.stringify(records),
        'n/b.json': JSON.stringify([...records, { id: 'z' }]),
        'n/z.md': 'Z',
      },
      'folder',
      { path: 'n' },
    )
    expect(documents.map(({ id, text }) => [id, text])).toEqual([
      ['a.json#x', 'Lomm'],
      ['a.json#y', 'Tarn'],
      ['z.md', 'Z'],
    ])
  })
})

test('codes with leading zeros in YAML stay text; a title may be a number', async () => {
  const { documents } = await load(
    {
      'notes/a.md':
        '---\ntitle: 2024\ncode: 007\nversion: 1.10\nyear: 2020\nzero: 0\nshare: 0.5\n---\n# Other\n\nText.\n',
    },
    'folder',
    { path: 'notes' },
  )
  expect(documents[0]).toMatchObject({
    title: '2024',
    metadata: { code: '007', version: '1.10', year: 2020, zero: 0, share: 0.5 },
  })
  for (const [written, title] of [
    ['3.10', '3.10'],
    ['2.0', '2.0'],
    ['007', '007'],
    ['12345678901234567890', '12345678901234567890'],
    ['true', 'Other'],
  ]) {
    const file = { 'notes/a.md': `---\ntitle: ${written}\n---\n# Other\n\nText.\n` }
    expect((await load(file, 'folder', { path: 'notes' })).documents[0].title).toBe(title)
  }
  const tests = await load(
    { 'a.yaml': 'tests:\n  - vars: {question: Which code?, context: 012}\n' },
    'promptfoo',
    { path: 'a.yaml' },
  )
  expect(tests.documents[0].text).toBe('012')
})

test('a table in a folder loses no cell: two columns of one name, more cells than names', async () => {
  const { documents } = await load(
    { 'notes/a.csv': 'name,port,port\nLomm,Orr,Quay\nTarn,,,lake\n' },
    'folder',
    { path: 'notes' },
  )
  expect(documents.map(({ title, text }) => [title, text])).toEqual([
    ['Lomm', 'port: Orr\nport 2: Quay'],
    ['Tarn', 'column 4: lake'],
  ])
  const alike = await load({ 'notes/a.csv': 'port,port,port 2\nOrr,Quay,Mole\n' }, 'folder', {
    path: 'notes',
  })
  expect(alike.documents[0].text).toBe('port: Orr\nport 2: Quay\nport 2 2: Mole')
})

test('quotes around fields between tabs are kept and counted: a spreadsheet writes them, a text may have them', async () => {
  const table = 'question\tfile\n"Where, exactly?"\tlomm.md\nWho "rules"?\tlomm.md\n'
  const files = { 'notes/lomm.md': 'Lomm lies at Orr.\n', 'q.tsv': table }
  const { queries, notices } = await load(files, 'folder', { path: 'notes', questions: 'q.tsv' })
  expect(queries.map(({ text }) => text)).toEqual(['"Where, exactly?"', 'Who "rules"?'])
  expect(notices).toEqual([
    'q.tsv: 1 field begins and ends with a quote, which is kept as text; if a spreadsheet wrote them, save the file as CSV',
  ])
  const ragas = 'user_input\treference_contexts\n"Where?"\t"Lomm."\n'
  expect((await load({ 'a.tsv': ragas }, 'ragas', { path: 'a.tsv' })).notices).toContain(
    'a.tsv: 2 fields begin and end with quotes, which are kept as text; if a spreadsheet wrote them, save the file as CSV',
  )
})

describe('a data set in its first form', () => {
  const scifact = {
    'corpus.jsonl': lines({ doc_id: 1, title: 'Lomm', abstract: ['It lies at Orr.'], structured: false }),
    'claims_dev.jsonl': lines({ id: 1, claim: 'Lomm lies at Orr.', evidence: {}, cited_doc_ids: [1] }),
  }

  test('SciFact is no BEIR folder', () => {
    // Each line of the corpus was said to have no "_id".
    expect(() => detectFormat(temporaryFolder(scifact))).toThrow('looks like FEVER or SciFact')
    expect(detectFormat(temporaryFolder({ 'corpus.jsonl': BEIR['corpus.jsonl'] }))).toBe('beir')
  })

  test.each([
    ['metadata', { metadata: { excluded_ids: ['d2'] } }],
    ['fields', { excluded_ids: ['d2'] }],
  ])('documents that BRIGHT leaves out of rankings are named: %s', async (_, fields) => {
    const queries = (other: object) => ({
      ...BEIR,
      'queries.jsonl': lines({ _id: 'q1', text: 'Where?', ...other }),
    })
    const notice = 'queries.jsonl: 1 query names documents that BRIGHT leaves out of their rankings'
    expect((await load(queries(fields), 'beir')).notices.join()).toContain(notice)
    const none = JSON.parse(JSON.stringify(fields).replace('d2', 'N/A'))
    expect((await load(queries(none), 'beir')).notices.join()).not.toContain('BRIGHT')
  })
})

describe('UTF-8 that was read as Latin-1 and saved', () => {
  const noticed = async (text: string, question = 'Where?') =>
    (
      await load(
        {
          ...BEIR,
          'corpus.jsonl': `${BEIR['corpus.jsonl']}${lines({ _id: 'd3', text })}`,
          'queries.jsonl': lines({ _id: 'q1', text: question }),
        },
        'beir',
      )
    ).notices.filter((notice) => notice.includes('wrong encoding'))
  const misread = (text: string) => Buffer.from(text, 'utf8').toString('latin1')

  test.each(['The Café by the sea', 'don’t', 'at 20 °C', 'привет', 'Straße'])(
    'is named: %s',
    async (text) => {
      expect(await noticed(misread(text))).toHaveLength(1)
      expect(await noticed('Plain.', misread(text))).toHaveLength(1)
      expect(await noticed(text)).toEqual([])
    },
  )

  test('is shown with its first word and place; letters of other languages are right', async () => {
    expect(await noticed(`A ${misread('Café')} and more`)).toEqual([
      '1 documents and 0 queries have characters of a wrong encoding, as "CafÃ©" in "d3": they were UTF-8, read as Latin-1 and saved; questions in right characters find them less often',
    ])
    // Windows-1252 has letters where Latin-1 has control characters.
    expect(await noticed('donâ€™t')).toHaveLength(1)
    for (const text of ['NÃO, AMANHÃ', 'Âge et pâte', 'ESPAÑA', 'Ðat Ñ', 'Ã\u00a0'])
      expect(await noticed(text)).toEqual([])
  })
})

describe('offsets of gold spans', () => {
  const TEXT = '🎉🎉 Schöne Grüße aus Lomm, das am Meer liegt.'
  const noticed = async (sizeOf: (before: string) => number, ...quotes: string[]) => {
    const at = (offset: number) => sizeOf(TEXT.slice(0, offset))
    const rows = quotes.map((quote) => {
      const start = TEXT.indexOf(quote)
      return `q1\td1\t${at(start)}\t${at(start + quote.length)}\n`
    })
    const { notices } = await load(
      {
        'corpus.jsonl': lines({ _id: 'd1', text: `${TEXT}${' Viel mehr.'.repeat(3)}` }),
        'queries.jsonl': lines({ _id: 'q1', text: 'Where?' }),
        'qrels/spans.tsv': `query-id\tcorpus-id\tstart\tend\n${rows.join('')}`,
      },
      'beir',
    )
    return notices.filter((notice) => notice.includes('within a word'))
  }

  test('count UTF-16 units; spans that fit if characters or bytes are counted are named', async () => {
    const quotes = ['aus Lomm', 'Meer']
    expect(await noticed((before) => before.length, ...quotes)).toEqual([])
    expect(await noticed((before) => [...before].length, ...quotes)).toEqual([
      '2 gold spans begin or end within a word, and would not if their offsets counted characters, as in Python ("e aus Lo" of query "q1" for "aus Lomm"); offsets count UTF-16 units, as in JavaScript',
    ])
    expect((await noticed((before) => Buffer.byteLength(before), ...quotes))[0]).toContain('bytes of UTF-8')
    // Parts of words.
    expect(await noticed((before) => before.length, 'omm', 'eer')).toEqual([])
  })
})
