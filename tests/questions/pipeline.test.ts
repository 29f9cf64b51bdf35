import { describe, expect, test } from 'vitest'
import type { Draft, Drafted } from '../../src/questions/draft.ts'
import { chooseDrafts, overlapOf, uniqueGold, withoutNearDuplicates } from '../../src/questions/filters.ts'
import { draftWithModel, type Passage } from '../../src/questions/model.ts'

const gold = (documentId: string, start: number, end: number) => ({ documentId, start, end })
const draft = (text: string, parts: Partial<Draft> = {}): Draft => ({
  kind: 'table',
  text,
  gold: [gold('d', 0, 10)],
  from: ['d'],
  ...parts,
})
const outcome = ({ drafts, dropped }: Drafted) => [
  drafts.map(({ text }) => text),
  dropped.map(({ draft: { text }, reason }) => [text, reason]),
]
const SEEDS = Array.from({ length: 20 }, (_, seed) => seed)

describe('a choice of drafts', () => {
  const long = (text: string, from: string[], length: number) =>
    draft(text, { from, gold: [gold(from[0], 1000, 1050), gold(from[0], 2000, 2000 + length - 50)] })

  test.each(SEEDS)('seed %i takes documents in turn, then lengths of gold', (seed) => {
    const first = (...drafts: Draft[]) =>
      chooseDrafts(drafts, drafts.length, seed)
        .slice(0, 2)
        .map(({ text }) => text)
    // The second is of another document, whatever its length.
    expect(first(long('a', ['a'], 100), long('a', ['a'], 500), long('b', ['b'], 100))).toContain('b')
    // A question of two documents, one of them new, comes before a second one of the same document.
    expect(first(long('a', ['a'], 100), long('a', ['a'], 100), long('ab', ['a', 'b'], 100))).toContain('ab')
    for (const limit of [120, 300])
      expect(first(...[0, 0, 1].map((more) => long(`${more}`, ['a'], limit + more)))).toContain('1')
  })
})

describe('a question is dropped', () => {
  const documents = [
    { id: 'a', title: '', text: 'The  bell\nrings. The gate shuts. The gate shuts.' },
    { id: 'b', title: '', text: 'Hear how the bell rings. Now the bell rings. Salt is sold.' },
  ] as never
  const on = (text: string, ...spans: [string, number, number][]) =>
    draft(text, { gold: spans.map((span) => gold(...span)) })

  test('if its gold occurs elsewhere, whatever the white space', () => {
    const result = outcome(
      uniqueGold(
        [
          on('salt', ['b', 45, 58]),
          on('bell', ['a', 4, 15]),
          on('gate', ['a', 17, 32]),
          on('second', ['b', 45, 58], ['a', 17, 32]),
          on('none'),
        ],
        documents,
      ),
    )
    expect(result).toEqual([
      ['salt', 'none'],
      [
        ['bell', 'its gold occurs in 2 documents'],
        ['gate', 'its gold occurs more than once in its document'],
        ['second', 'its gold occurs more than once in its document'],
      ],
    ])
  })

  test('if an earlier one has four of five words in common', () => {
    const texts = [
      'salt bell gate pier',
      'gulls',
      'salt bell gate pier gulls',
      'salt bell gate',
      'What is it?',
      'Who is it?',
    ]
    expect(outcome(withoutNearDuplicates(texts.map((text) => draft(text))))).toEqual([
      ['salt bell gate pier', 'gulls', 'salt bell gate', 'What is it?'],
      [
        ['salt bell gate pier gulls', 'is nearly "salt bell gate pier"'],
        ['Who is it?', 'is nearly "What is it?"'],
      ],
    ])
  })

  test('share of its words that the gold holds', () => {
    const texts = new Map([['d', 'Salt and gold in the bell']])
    const spans = { gold: [gold('d', 0, 8), gold('d', 21, 25)] }
    const draftOf = (text: string) => draft(text, spans)
    // Of salt, bell and gold the spans hold the first two.
    expect([
      overlapOf(draftOf('Is the salt bell gold gold?'), texts),
      overlapOf(draftOf('What is it?'), texts),
    ]).toEqual([2 / 3, 0])
    expect(overlapOf(draft('salt', { gold: [] }), texts)).toBe(0)
  })
})

describe('questions that a model drafts', () => {
  const passage = (documentId: string, heading: string, text: string): Passage => ({
    gold: gold(documentId, 0, text.length),
    text,
    heading,
  })

  /** A chat with given replies, and the values that it was asked with. */
  function chatOf(...replies: object[]) {
    const asked: Record<string, string>[] = []
    const chat = {
      json: async (
        { values }: { values: Record<string, string> },
        schema: { parse: (value: unknown) => unknown },
      ) => {
        asked.push(values)
        return schema.parse(replies[asked.length - 1])
      },
    }
    return { asked, chat: chat as never }
  }
  const [first, two] = [passage('a', 'One', 'Salt is sold.'), passage('b', '', 'Bells ring.')]
  const reply = (question: string, answer?: string) => ({ question, answer })

  test('are asked of one passage as it is, and of several as sources, and checked on the same', async () => {
    const { asked, chat } = chatOf(reply(' Who sells\n salt? ', 'Lomm'), { answerable: true })
    const found = await draftWithModel(chat, { kind: 'fact', passages: [first], persona: 'a sailor' }, [
      first,
      two,
    ])
    expect(found).toEqual({
      kind: 'fact',
      text: 'Who sells salt?',
      from: ['a'],
      gold: [first.gold],
      answer: 'Lomm',
    })
    expect(asked).toEqual([
      { context: 'One\nSalt is sold.', persona: 'Ask as this person would: a sailor. ' },
      { query: 'Who sells salt?', context: '<passage kind="source 1">\nOne\nSalt is sold.\n</passage>' },
    ])
    const both = chatOf(reply('Where do salt bells ring?'), { answerable: true })
    expect(await draftWithModel(both.chat, { kind: 'comparison', passages: [first, two] }, [])).toEqual({
      kind: 'comparison',
      text: 'Where do salt bells ring?',
      from: ['a', 'b'],
      gold: [first.gold, two.gold],
    })
    const context =
      '<passage kind="source 1">\nOne\nSalt is sold.\n</passage>\n\n<passage kind="source 2">\nBells ring.\n</passage>'
    expect(both.asked).toEqual([
      { context, persona: '' },
      { query: 'Where do salt bells ring?', context },
    ])
  })

  test.each([
    ['What is salt?', true, 'it asks nothing'],
    ['Who sells salt?', true, undefined],
    ['Who sells salt in this passage?', true, 'it speaks of the passage'],
    ['Who sells salt in the given text?', true, 'it speaks of the passage'],
    ['Who sells salt?', false, 'its passages do not answer it, says the second call'],
  ])('%j, answerable: %j: %j', async (question, answerable, reason) => {
    const { chat } = chatOf(reply(question), { answerable })
    const found = await draftWithModel(chat, { kind: 'fact', passages: [first] }, [])
    const expected = { kind: 'fact', text: question, from: ['a'] }
    expect(found).toEqual(
      reason === undefined ? { ...expected, gold: [first.gold] } : { draft: expected, reason },
    )
  })
})
