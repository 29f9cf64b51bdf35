import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { questionsToFill } from '../../src/cli/folder-starter.ts'
import { main } from '../../src/cli/main.ts'
import { quoteRanges } from '../../src/dataset/gold-places.ts'
import { temporaryFolder } from '../temporary.ts'
import { standIn } from './stand-in.ts'

async function run(folder: string, ...argv: string[]) {
  const terminal = standIn({ folder })
  return { code: await main(argv, terminal), out: terminal.stdout(), err: terminal.stderr() }
}

test('init writes a config and a dataset that are in order', async () => {
  const folder = temporaryFolder()
  const { code, out } = await run(folder, 'init', 'mine')
  expect(code).toBe(0)
  expect(out).toContain('touchstone run mine/touchstone.yaml')
  expect(await run(folder, 'check', 'mine/touchstone.yaml')).toMatchObject({ code: 0, err: '' })
  const checked = await run(folder, 'check', 'mine/dataset', '--json')
  expect(JSON.parse(checked.out)).toMatchObject({ format: 'beir', documents: 12, queries: 8, judged: 8 })
})

test('the first line of a starter config leads to the schema, by which editors check it', async () => {
  const folder = temporaryFolder({ 'notes/a.md': '# A\n\nThe harbour of Lomm silts up every spring.\n' })
  await run(folder, 'init', 'deep/er')
  await run(folder, 'init', 'own', '--from', 'notes')
  for (const at of ['deep/er', 'own']) {
    const [line] = readFileSync(join(folder, at, 'touchstone.yaml'), 'utf8').split('\n')
    const [, schema] = /^# yaml-language-server: \$schema=(\S+)$/.exec(line) ?? []
    const { properties } = JSON.parse(readFileSync(join(folder, at, schema), 'utf8'))
    expect(properties).toHaveProperty('trials')
  }
})

describe('init --from', () => {
  const section = (i: number) => `## Part ${i}\n\nThe mole number ${i} was built from stones of the prison.\n`
  const NOTES = {
    'notes/lomm.md': `# Lomm\n\n${Array.from({ length: 40 }, (_, i) => section(i)).join('\n')}`,
    'notes/deep/ferry.txt': 'Aldis.\n\nThe ferry crosses the strait four times a day.\n',
    'notes/empty.md': '',
    'notes/image.png': 'no text',
  }
  type Line = { _id: string; text: string; gold: { file: string; quote: string }[] }
  const linesOf = (file: string): Line[] =>
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))

  test('writes questions that wait for their words; check names each that still does', async () => {
    const folder = temporaryFolder(NOTES)
    const { code, out } = await run(folder, 'init', 'mine', '--from', 'notes')
    expect(code).toBe(0)
    expect(out).toContain('Fill in mine/questions.jsonl')
    // What was read and what was not is said before a question is written.
    expect(out.split('\n').slice(0, 4)).toEqual([
      'read 2 documents',
      '1 file left out, empty file: empty.md',
      '1 file of other kinds left out: 1 .png',
      'wrote 2 files to mine',
    ])
    expect(out).toContain('touchstone questions draft mine/touchstone.yaml -o mine/drafted.jsonl')
    const file = join(folder, 'mine/questions.jsonl')
    const lines = linesOf(file)
    expect(lines.length).toBe(20)
    expect(lines[0].gold).toEqual([
      { file: 'deep/ferry.txt', quote: 'The ferry crosses the strait four times a day.' },
    ])
    const waiting = await run(folder, 'check', 'mine/touchstone.yaml')
    expect(waiting.code).toBe(2)
    expect(waiting.err).toMatch(
      /^mine\/questions\.jsonl:1: query "q1" has no text; write its question, or remove it \(also lines 2 to \d+\)\n/,
    )

    writeFileSync(
      file,
      lines
        .map((line) => `${JSON.stringify({ ...line, text: `What of ${line.gold[0].quote}?` })}\n`)
        .join(''),
    )
    expect(await run(folder, 'check', 'mine/touchstone.yaml')).toMatchObject({ code: 0, err: '' })
    const ran = await run(folder, 'run', 'mine/touchstone.yaml', '--workers', '1')
    expect([ran.code, ran.out]).toEqual([0, expect.stringContaining('reports/mine.html')])
    // The first note: no vector of the experiment is a trained model's.
    const [note] = ran.out.split('\n').filter((line) => line.startsWith('- '))
    expect(note).toMatch(/^- Dense results \(title-ppr, naive, hybrid\) are a stand-in's/)
    expect(readFileSync(join(folder, 'reports/mine.html'), 'utf8')).toContain('Stand-in embedder.')
    const lexical = ['--only', 'bm25', '--set', 'compare.baseline=bm25', '--out', 'b', '--report', 'b.html']
    const words = await run(folder, 'run', 'mine/touchstone.yaml', '--workers', '1', ...lexical)
    expect([words.code, words.out]).toEqual([0, expect.not.stringContaining('stand-in')])
  })

  test('a data set and a file are no folder of documents', async () => {
    const folder = temporaryFolder(NOTES)
    await run(folder, 'init', 'first')
    const init = (from: string) => run(folder, 'init', 'mine', '--from', from)
    expect(await init('first/dataset')).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /first\/dataset: is a data set that Touchstone reads as it is \(beir\), .* write `dataset: \.\.\/first\/dataset` in the config\n$/,
      ),
    })
    expect((await run(folder, 'init', 'first/dataset', '--from', 'first/dataset')).err).toContain(
      'write `dataset: .` in the config',
    )
    expect(await init('notes/lomm.md')).toMatchObject({
      code: 2,
      err: 'notes/lomm.md: is a file; name the folder of the documents\n',
    })
    expect(existsSync(join(folder, 'mine'))).toBe(false)
    // Tables next to documents are documents.
    writeFileSync(
      join(folder, 'first/dataset/harbour.md'),
      '# Harbour\n\nThe mole was built from stones of the prison.\n',
    )
    expect(await init('first/dataset')).toMatchObject({ code: 0 })
  })

  test.each(['2026', 'true', '1e5', 'null'])(
    'in a folder called %s writes the name as text',
    async (name) => {
      const folder = temporaryFolder({ 'notes/a.txt': 'The ferry crosses the strait four times a day.' })
      expect((await run(folder, 'init', name, '--from', 'notes')).code).toBe(0)
      expect((await run(folder, 'check', `${name}/touchstone.yaml`)).err).toBe(
        `${name}/questions.jsonl:1: query "q1" has no text; write its question, or remove it\n`,
      )
    },
  )

  test('cuts texts without headings by tokens', async () => {
    const folder = temporaryFolder({ "it's: #1/a.txt": 'The ferry crosses the strait four times a day.' })
    expect((await run(folder, 'init', '--from', "it's: #1")).code).toBe(0)
    expect(readFileSync(join(folder, 'touchstone.yaml'), 'utf8')).toContain('chunk: { tokens: ')
    expect((await run(folder, 'check', 'touchstone.yaml')).err).toBe(
      'questions.jsonl:1: query "q1" has no text; write its question, or remove it\n',
    )
  })

  test('says what a folder lacks and writes nothing', async () => {
    const folder = temporaryFolder({
      'lists/a.md': '# A\n\n- one\n- two\n',
      'binary/a.md': Buffer.from([255]),
    })
    const message = async (from: string) => {
      const { code, err } = await run(folder, 'init', 'mine', '--from', from)
      expect([code, existsSync(join(folder, 'mine'))]).toEqual([2, false])
      return err
    }
    expect(await message('absent')).toBe('absent: there is no such folder\n')
    expect(await message('lists')).toBe(
      'lists: holds no document with a sentence that a question could ask for\n',
    )
    expect(await message('binary')).toBe(
      'binary: holds no document that can be read; of 1 file the first is a.md, text in the encoding UTF-32LE\n',
    )
  })

  test('quotes from a file of one line, without headings', () => {
    const quotesIn = (text: string) =>
      questionsToFill([{ id: 'a.txt', text }])
        .split('\n')
        .filter(Boolean)
        .map((line) => (JSON.parse(line) as Line).gold[0].quote)
    const sentence = 'Salt is raked from the pans of the old harbour.'
    expect(quotesIn(sentence)).toEqual([sentence])
    expect(quotesIn(`${sentence}\nIt is sold by the weight of a grown man.`)).toEqual([sentence])
    expect(quotesIn(`# Salt\n${sentence}`)).toEqual([sentence])
    expect(quotesIn('# Salt is raked from the pans of the old harbour.')).toEqual([])
    expect(
      quotesIn('The fees of the old harbour are these:\n\ndocument.body.appendChild(salt, harbour);'),
    ).toEqual([])
  })

  test('asks about as many files as it can', () => {
    const section = (file: string, i: number) =>
      `## Part ${i}\nThe ${file} has a rule for every part ${i} of it.\n`
    const documents = Array.from({ length: 30 }, (_, i) => ({
      id: `${i}.md`,
      text: Array.from({ length: i === 0 ? 200 : 1 }, (_, part) => section(`file ${i}`, part)).join(''),
    }))
    const lines = questionsToFill(documents).trim().split('\n')
    expect(new Set(lines.map((line) => (JSON.parse(line) as Line).gold[0].file)).size).toBe(20)
  })

  test('quotes what one file holds once and no other holds, whatever the text', () => {
    const word = fc.constantFrom(
      'The',
      'salt',
      'is',
      'raked',
      'from',
      'pans.',
      '# Salt',
      '\n',
      '\n\n',
      '```',
      '|',
    )
    fc.assert(
      fc.property(fc.array(fc.array(word, { maxLength: 80 }), { maxLength: 5 }), (files) => {
        const texts = new Map(files.map((words, i) => [`${i}.md`, words.join(' ')]))
        const documents = [...texts].map(([id, text]) => ({ id, text }))
        for (const line of questionsToFill(documents).split('\n').filter(Boolean)) {
          const [{ file, quote }] = (JSON.parse(line) as Line).gold
          for (const { id, text } of documents)
            expect(quoteRanges(text, quote).length).toBe(id === file ? 1 : 0)
        }
      }),
    )
  })
})

test('init overwrites nothing: it names what is there and writes none of the rest', async () => {
  const folder = temporaryFolder({ 'dataset/corpus.jsonl': 'mine\n' })
  const { code, err } = await run(folder, 'init')
  expect(code).toBe(2)
  expect(err).toBe('dataset/corpus.jsonl: is there already; delete it, or name another file\n')
  expect(readFileSync(join(folder, 'dataset/corpus.jsonl'), 'utf8')).toBe('mine\n')
  expect(() => readFileSync(join(folder, 'touchstone.yaml'))).toThrow()
})

test('check shows the errors of a config, then those of its data, with their places', async () => {
  const folder = temporaryFolder()
  await run(folder, 'init')
  const wrong = await run(folder, 'check', 'touchstone.yaml', '--set', 'depth=many')
  expect(wrong).toMatchObject({ code: 2, err: '--set depth: `depth` must be a number, not `many`\n' })
  writeFileSync(join(folder, 'dataset/qrels/test.tsv'), 'query-id\tcorpus-id\tscore\nq1\tnowhere\t1\n')
  const data = await run(folder, 'check', 'touchstone.yaml', '--json')
  expect(data.code).toBe(2)
  const { diagnostics } = JSON.parse(data.out)
  expect(diagnostics[0]).toMatchObject({ line: 2 })
  expect(diagnostics[0].message).toContain('nowhere')
})

test('check of nothing', async () => {
  expect(await run(temporaryFolder(), 'check', 'absent.yaml')).toMatchObject({
    code: 2,
    err: 'absent.yaml: there is no such file or folder\n',
  })
})

test('list --json holds every topic; each strategy with params and defaults', async () => {
  const { code, out } = await run('/nowhere', 'list', '--json')
  expect(code).toBe(0)
  const lists = JSON.parse(out)
  expect(Object.keys(lists)).toEqual([
    'strategies',
    'transforms',
    'measures',
    'answers',
    'models',
    'formats',
    'preparation',
  ])
  const bm25 = lists.strategies[0].entries.find(({ name }: { name: string }) => name === 'bm25')
  expect(bm25.params).toContainEqual({
    name: 'k1',
    type: 'number, 0 to 100',
    default: 0.9,
    required: false,
    summary: expect.any(String),
  })
})

test('list fits 80 columns', async () => {
  const { out } = await run('/nowhere', 'list')
  expect(out).toContain('STRATEGIES\n')
  expect(out.split('\n').filter((line) => line.length > 80 && !/ {2}\S{30,}/.test(line))).toEqual([])
})
