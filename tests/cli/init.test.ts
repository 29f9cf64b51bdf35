import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { questionsToFill } from '../../src/cli/folder-starter.ts'
import { main } from '../../src/cli/main.ts'
import { quoteRanges } from '../../src/dataset/gold-places.ts'
import { standIn } from './stand-in.ts'

async function run(folder: string, ...argv: string[]) {
  const terminal = standIn({ folder })
  return { code: await main(argv, terminal), out: terminal.stdout(), err: terminal.stderr() }
}

describe('init --from', () => {
  type Line = { _id: string; text: string; gold: { file: string; quote: string }[] }
  test('quotes statements, in equal shares of the files, however long one is', () => {
    const rows = Array.from({ length: 30 }, (_, row) => ({
      id: `t.csv#${row}`,
      text: `town: Orr ${row} craft: salt and glass`,
    }))
    const long = Array.from(
      { length: 40 },
      (_, n) => `# Part ${n}\n\nThe quay number ${n} was built for the ferry of the strait.\n`,
    )
    const manual =
      'FERRY(1)  General Commands  FERRY(1)\n\nIt crosses the strait four times a day.\n\nThe harbour master rings the bell before the boat leaves.\n'
    const documents = [...rows, { id: 'long.md', text: long.join('\n') }, { id: 'man.txt', text: manual }]
    const gold = questionsToFill(documents)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).gold[0])
    const quotesOf = (file: string) =>
      gold.filter((place) => place.file.startsWith(file)).map(({ quote }) => quote)
    expect(quotesOf('man')).toEqual(['The harbour master rings the bell before the boat leaves.'])
    expect([quotesOf('t.csv').length, quotesOf('long.md').length]).toEqual([10, 9])
  })

  test('quotes 20 statements of kinds with as many files each', () => {
    const documents = ['md', 'txt', 'html'].flatMap((kind) =>
      Array.from({ length: 7 }, (_, n) => ({
        id: `${n}.${kind}`,
        text: `The quay number ${n} of ${kind} was built for the ferry of the strait.\n`,
      })),
    )
    expect(questionsToFill(documents).trim().split('\n')).toHaveLength(20)
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
