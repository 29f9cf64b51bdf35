import { describe, expect, test } from 'vitest'
import { chooseDrafts } from '../../src/questions/choose.ts'
import type { Draft, Drafted } from '../../src/questions/draft.ts'
import { overlapOf, unambiguous, uniqueGold, withoutNearDuplicates } from '../../src/questions/filters.ts'
import { draftWithModel, type Passage, passagesOf, tasksOf } from '../../src/questions/model.ts'

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

  test.each(SEEDS)('seed %i counts the lengths of each kind apart', (seed) => {
    const drafts = [
      long('short', ['a'], 100),
      long('long', ['b'], 500),
      long('middle', ['c'], 200),
      { ...long('faq', ['d'], 100), kind: 'faq' as const },
    ]
    const [faq, ...others] = chooseDrafts(drafts, 4, seed).map(({ text }) => text)
    expect(faq).toBe('faq')
    expect(others.sort()).toEqual(['long', 'middle', 'short'])
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
    const found = outcome(
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
    expect(found).toEqual([
      ['salt', 'none'],
      [
        ['bell', 'its gold occurs in 2 documents'],
        ['gate', 'its gold occurs more than once in its document'],
        ['second', 'its gold occurs more than once in its document'],
      ],
    ])
  })

  test('if others ask the same', () => {
    expect(outcome(unambiguous(['Salt?', 'Bell?', 'salt'].map((text) => draft(text))))).toEqual([
      ['Bell?'],
      ['Salt?', 'salt'].map((text) => [text, '2 passages would answer it']),
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
    const one = (text: string) => draft(text, spans)
    // Of salt, bell and gold the spans hold the first two.
    expect([
      overlapOf(one('Is the salt bell gold gold?'), texts),
      overlapOf(one('What is it?'), texts),
    ]).toEqual([2 / 3, 0])
    expect(overlapOf(draft('salt', { gold: [] }), texts)).toBe(0)
  })
})

describe('questions that a model drafts', () => {
  const words = (count: number, word = 'salt') =>
    Array.from({ length: count }, (_, at) => `${word}${at}`).join(' ')
  const passage = (documentId: string, heading: string, text: string): Passage => ({
    gold: gold(documentId, 0, text.length),
    text,
    heading,
  })

  test('come from passages of 20 words, under their nearest heading or the title', () => {
    const [top, enough, few] = [words(20, 'gate'), words(20), words(19)]
    const text = `${top}\n\n# Trade\n\n## Salt\n\n${enough} the of\n\n${few} the of\n`
    const document = { id: 'd', title: 'Guide', text, metadata: {} }
    const start = text.indexOf(enough)
    expect(passagesOf([document] as never)).toEqual([
      { gold: gold('d', 0, top.length), text: top, heading: 'Guide' },
      {
        gold: gold('d', start, start + `${enough} the of`.length),
        text: `${enough} the of`,
        heading: 'Salt',
      },
    ])
  })

  const passages = [
    passage('a', 'One', 'salt bell gate'),
    passage('a', 'Two', 'salt bell pier'),
    passage('a', 'two', 'salt bell gulls'),
    passage('b', 'Three', 'salt gate gulls'),
    passage('b', 'Four', 'bell'),
    passage('c', 'One', 'salt bell gate'),
  ]
  const tasks = (
    kinds: Parameters<typeof tasksOf>[1]['kinds'],
    count = 99,
    personas: string[] = [],
    seed = 3,
  ) => tasksOf(passages, { kinds, personas, count, seed })

  test.each(SEEDS)('seed %i asks of each document once before it asks of one again', (seed) => {
    const all = tasks(['fact'], 99, [], seed)
    expect(
      all
        .map(({ passages: [{ gold: at }] }) => at.documentId)
        .slice(0, 3)
        .sort(),
    ).toEqual(['a', 'b', 'c'])
    expect(all.map(({ passages: own }) => own.length)).toEqual([1, 1, 1, 1, 1, 1])
    expect(new Set(all.map(({ passages: [one] }) => one)).size).toBe(6)
  })

  test('take kinds and personas in turn, as many as are asked for', () => {
    const some = tasks(['fact', 'unanswerable'], 4, ['a sailor', 'a clerk', 'a child'])
    expect(some.map(({ kind, persona }) => [kind, persona])).toEqual([
      ['fact', 'a sailor'],
      ['unanswerable', 'a clerk'],
      ['fact', 'a child'],
      ['unanswerable', 'a sailor'],
    ])
    expect(tasks(['fact'], 1)).toEqual([{ kind: 'fact', passages: [expect.anything()] }])
    expect(tasks(['fact'], 0)).toEqual([])
    expect(tasksOf([], { kinds: ['fact'], personas: [], count: 5, seed: 0 })).toEqual([])
    expect('persona' in tasks(['fact'], 1)[0]).toBe(false)
  })

  test.each(SEEDS)('seed %i joins the passages that share most words, under other headings', (seed) => {
    const pairs = (kind: 'passages' | 'comparison') =>
      tasks([kind], 99, [], seed).map(({ passages: [one, other] }) => {
        const name = ({ gold: { documentId }, heading }: Passage) => `${documentId} ${heading}`
        return [name(one), name(other)]
      })
    const within = new Map(pairs('passages') as [string, string][])
    // The only passage of c has no other of its document.
    expect([...within.keys()].sort()).toEqual(['a One', 'a Two', 'a two', 'b Four', 'b Three'])
    expect([within.get('a Two'), within.get('a two'), within.get('b Four')]).toEqual([
      'a One',
      'a One',
      'b Three',
    ])
    const between = new Map(pairs('comparison') as [string, string][])
    expect(between.size).toBe(6)
    expect(['a Two', 'a two', 'b Three', 'a One'].map((name) => between.get(name))).toEqual([
      expect.stringMatching(/^[ac] One$/),
      expect.stringMatching(/^[ac] One$|^b Three$/),
      expect.stringMatching(/^[ac] One$|^a two$/),
      expect.stringMatching(/^a [Tt]wo$|^b Three$/),
    ])
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
  const [one, two] = [passage('a', 'One', 'Salt is sold.'), passage('b', '', 'Bells ring.')]
  const reply = (question: string, answer?: string) => ({ question, answer })

  test('are asked of one passage as it is, and of several as sources, and checked on the same', async () => {
    const { asked, chat } = chatOf(reply(' Who sells\n salt? ', 'Lomm'), { answerable: true })
    const found = await draftWithModel(chat, { kind: 'fact', passages: [one], persona: 'a sailor' }, [
      one,
      two,
    ])
    expect(found).toEqual({
      kind: 'fact',
      text: 'Who sells salt?',
      from: ['a'],
      gold: [one.gold],
      answer: 'Lomm',
    })
    expect(asked).toEqual([
      { context: 'One\nSalt is sold.', persona: 'Ask as this person would: a sailor. ' },
      { query: 'Who sells salt?', context: '<passage kind="source 1">\nOne\nSalt is sold.\n</passage>' },
    ])
    const both = chatOf(reply('Where do salt bells ring?'), { answerable: true })
    expect(await draftWithModel(both.chat, { kind: 'comparison', passages: [one, two] }, [])).toEqual({
      kind: 'comparison',
      text: 'Where do salt bells ring?',
      from: ['a', 'b'],
      gold: [one.gold, two.gold],
    })
    const context =
      '<passage kind="source 1">\nOne\nSalt is sold.\n</passage>\n\n<passage kind="source 2">\nBells ring.\n</passage>'
    expect(both.asked).toEqual([
      { context, persona: '' },
      { query: 'Where do salt bells ring?', context },
    ])
  })

  test('of a subject without an answer are checked on the five passages that share most words', async () => {
    const all = [
      passage('a', 'Other', 'gate'),
      passage('b', 'Bell', 'tower'),
      passage('c', 'x', 'salt bell tower'),

      passage('d', 'y', 'salt salt salt'),
      passage('e', 'z', 'tower'),
      passage('f', 'w', 'bell tower'),
      passage('g', 'v', 'pier'),
    ]
    const task = { kind: 'unanswerable', passages: [one] } as const
    const { asked, chat } = chatOf(reply('Who built the salt bell tower?', 'nobody'), { answerable: false })
    expect(await draftWithModel(chat, task, all)).toEqual({
      kind: 'unanswerable',
      text: 'Who built the salt bell tower?',
      from: ['a'],
      gold: [],
    })
    expect([...asked[1].context.matchAll(/source \d">\n(.*)\n/g)].map(([, heading]) => heading)).toEqual([
      'x',
      'Bell',
      'w',
      'y',
      'z',
    ])
    const answered = chatOf(reply('Who built the salt bell tower?'), { answerable: true })
    expect(await draftWithModel(answered.chat, task, all)).toEqual({
      draft: { kind: 'unanswerable', text: 'Who built the salt bell tower?', from: ['a'] },
      reason: 'a passage of the corpus answers it',
    })
  })

  test.each([
    ['What is salt?', true, 'it asks nothing'],
    ['Who sells salt?', true, undefined],
    ['Who sells salt in this passage?', true, 'it speaks of the passage'],
    ['Who sells salt?', false, 'its passages do not answer it, says the second call'],
  ])('%j, answerable: %j: %j', async (question, answerable, reason) => {
    const { chat } = chatOf(reply(question), { answerable })
    const found = await draftWithModel(chat, { kind: 'fact', passages: [one] }, [])
    const told = { kind: 'fact', text: question, from: ['a'] }
    expect(found).toEqual(reason === undefined ? { ...told, gold: [one.gold] } : { draft: told, reason })
  })
})
