import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { loadDataset } from '../../src/dataset/load.ts'
import { standIn } from '../cli/stand-in.ts'

const folder = mkdtempSync(join(tmpdir(), 'touchstone-write-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function touchstone(...argv: string[]) {
  const terminal = standIn({ folder })
  const code = await main(argv, terminal)
  return { code, out: terminal.stdout(), err: terminal.stderr() }
}
const load = (name: string, file: string) =>
  loadDataset({ name, params: { path: join(folder, file) } }, folder)

const word = fc.constantFrom('salt', 'Ünal', 'a "b"', '中', 'x\ty', 'a\u2028b', '<b>', "l'eau", '0')
const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
/** Few titles and texts, so that questions share passages and passages share titles. */
const passage = fc.record({ title: fc.constantFrom('A', 'B', 'C d'), text: text.map((one) => one.trim()) })
const questions = fc.array(
  fc.record({
    text,
    answers: fc.uniqueArray(text, { maxLength: 3 }),
    category: fc.constantFrom('bridge', 'comparison'),
    passages: fc.uniqueArray(passage, {
      minLength: 1,
      maxLength: 5,
      selector: ({ title, text: own }) => `${title}\n${own}`,
    }),
    gold: fc.nat(4),
  }),
  { minLength: 1, maxLength: 6 },
)

type Made = (typeof questions extends fc.Arbitrary<infer T> ? T : never)[number]

const WRITERS: Record<string, (made: readonly Made[]) => string> = {
  hotpotqa: supportingFacts,
  '2wiki': supportingFacts,
  musique: (made) =>
    made
      .map(({ text: question, answers: [answer, ...aliases], passages, gold }, place) =>
        JSON.stringify({
          id: `${2 + (place % 3)}hop${place % 2 ? '1' : ''}__${place}`,
          question,
          answer,
          answer_aliases: aliases,
          paragraphs: passages.map(({ title, text: own }, at) => ({
            title,
            paragraph_text: own,
            is_supporting: at === gold % passages.length,
          })),
        }),
      )
      .join('\n'),
}

function supportingFacts(made: readonly Made[]): string {
  return JSON.stringify(
    made.map(({ text: question, answers: [answer], category, passages, gold }, place) => ({
      _id: `q${place}`,
      question,
      answer,
      type: category,
      supporting_facts: [[passages[gold % passages.length].title, 0]],
      context: passages.map(({ title, text: own }) => [title, [own]]),
    })),
  )
}

/** Notices about made-up questions and titles that happen to be equal. */
const EQUAL_TEXTS =
  /^(?:\d+ (?:documents|queries) have the \w+ of (?:another one|a document)|recall@1 |supporting facts whose title several ).*\n/gm

test('the facts of 2Wiki are written in its own format alone', async () => {
  const evidences = [['Lomm', 'lies at', 'Orr']]
  const item = {
    _id: 'q1',
    question: 'Where does Lomm lie?',
    answer: 'Orr',
    type: 'inference',
    evidences,
    supporting_facts: [['Lomm', 0]],
    context: [['Lomm', ['It lies at Orr.']]],
  }
  writeFileSync(join(folder, 'facts.json'), JSON.stringify([item]))
  await touchstone('export', 'facts.json', '--from', '2wiki', '--to', '2wiki', '-o', 'again.json')
  expect(JSON.parse(readFileSync(join(folder, 'again.json'), 'utf8'))).toEqual([item])
  expect(
    await touchstone('export', 'facts.json', '--from', '2wiki', '--to', 'hotpotqa', '-o', 'other.json'),
  ).toMatchObject({ code: 2, err: expect.stringContaining('query `q1`: has metadata') })
})

describe.each(['hotpotqa', '2wiki', 'musique'])('%s', (format) => {
  test('what it reads it writes: the same data set again, and then the same bytes', async () => {
    const [first, second, third] = ['first', 'second', 'third'].map((name) => `${format}-${name}.json`)
    let held = 0
    await fc.assert(
      fc.asyncProperty(questions, async (made) => {
        for (const name of [second, third]) rmSync(join(folder, name), { force: true })
        writeFileSync(join(folder, first), WRITERS[format](made))
        const before = await load(format, first)
        const { code, err } = await touchstone(
          'export',
          first,
          '--from',
          format,
          '--to',
          format,
          '-o',
          second,
        )
        if (code === 2) {
          // Dealt out anew, a passage may find only questions whose gold has its title.
          expect(format).not.toBe('musique')
          expect(err).toMatch(/its title is that of a gold passage of every query/)
          return
        }
        expect(err.replace(EQUAL_TEXTS, '')).toBe('')
        held++
        const after = await load(format, second)
        expect(after.hash).toBe(before.hash)
        expect(after.documents).toEqual(before.documents)
        expect(after.queries).toEqual(before.queries)
        expect(after.qrels).toEqual(before.qrels)
        await touchstone('export', second, '--from', format, '--to', format, '-o', third)
        expect(readFileSync(join(folder, third), 'utf8')).toBe(readFileSync(join(folder, second), 'utf8'))
      }),
      { numRuns: 60 },
    )
    expect(held).toBeGreaterThan(20)
  })

  test('goes to BEIR and back', async () => {
    const [made] = fc.sample(
      questions.filter((list) => list.every(({ passages }) => passages.length === 1)),
      { numRuns: 1, seed: 3 },
    )
    const file = `${format}-beir.json`
    writeFileSync(join(folder, file), WRITERS[format](made))
    expect((await touchstone('import', file, '--from', format, '-o', `${format}-beir`)).code).toBe(0)
    const { code, out } = await touchstone(
      'export',
      `${format}-beir`,
      '--to',
      format,
      '-o',
      `${format}-back.json`,
    )
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('read back equal') })
    expect((await load(format, `${format}-back.json`)).hash).toBe((await load(format, file)).hash)
  })
})

test('what a format has no place for is told, all at once, and nothing is written', async () => {
  const beir = join(folder, 'own')
  const { mkdirSync, existsSync } = await import('node:fs')
  mkdirSync(join(beir, 'qrels'), { recursive: true })
  writeFileSync(join(beir, 'corpus.jsonl'), '{"_id": "d1", "title": "T", "text": "x"}\n')
  writeFileSync(
    join(beir, 'queries.jsonl'),
    '{"_id": "q1", "text": "y", "metadata": {"answers": ["a", "b"]}}\n',
  )
  writeFileSync(join(beir, 'qrels', 'test.tsv'), 'query-id\tcorpus-id\tscore\nq1\td1\t2\n')
  const { code, err } = await touchstone('export', 'own', '--to', 'hotpotqa', '-o', 'own.json')
  expect(code).toBe(2)
  for (const reason of [
    'document `d1`: its id is not the hash of its title and text',
    'query `q1`: has 2 answers, not one',
    'query `q1`: `d1` has the grade 2, not 1',
  ])
    expect(err).toContain(`hotpotqa cannot hold this data set: ${reason}`)
  expect(existsSync(join(folder, 'own.json'))).toBe(false)
})
