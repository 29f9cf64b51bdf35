import { describe, expect, test } from 'vitest'
import type { Drafter } from '../../src/questions/draft.ts'
import { definitions } from '../../src/questions/kinds/definitions.ts'
import { faq } from '../../src/questions/kinds/faq.ts'
import { goldFrom, sectionsWithParagraphs } from '../../src/questions/passages.ts'

/** Questions of a document with the texts of their gold. */
async function drafted(drafter: Drafter, text: string, title = 'Guide') {
  const drafts = await drafter([{ id: 'd', title, text }] as never)
  for (const { from } of drafts) expect(from).toEqual(['d'])
  return drafts.map(({ kind, text: question, gold }) => [
    kind,
    question,
    ...gold.map(({ start, end }) => text.slice(start, end)),
  ])
}

const SALT = 'The town of Lomm sells salt to every ship that comes.'
const GULLS = 'The gulls of Lomm sleep on the old pier in winter.'

describe('questions that a document asks itself', () => {
  test.each([
    [`**May I feed the gulls?**\n\n${GULLS}`, 'May I feed the gulls?', GULLS],
    [`Q: May I feed the gulls?\n\n${GULLS}`, 'May I feed the gulls?', GULLS],
    [
      `Question: Who sells the salt?\nAnswer: ${SALT}`,
      'Who sells the salt?',
      `Question: Who sells the salt?\nAnswer: ${SALT}`,
    ],
  ])('%j', async (text, question, answer) => {
    expect(await drafted(faq, `# FAQ\n\n${text}\n`)).toEqual([['faq', question, answer]])
  })

  test('a heading that is a question is asked, unless it points to the text before it or leads to code', async () => {
    expect(await drafted(faq, `# Why do gulls sleep?\n\n${GULLS}\n`)).toEqual([
      ['faq', 'Why do gulls sleep?', GULLS],
    ])
    expect(await drafted(faq, `# Why is that so?\n\n${GULLS}\n`)).toEqual([])
    expect(
      await drafted(faq, '# Why do gulls sleep?\n\n```\none two three four five six seven\n```\n'),
    ).toEqual([])
  })

  test('one without an answer, or with a short one, gives none', async () => {
    expect(await drafted(faq, `# FAQ\n\n${SALT}\n\nMay I feed the gulls?\n`)).toEqual([])
    expect(await drafted(faq, '# FAQ\n\nMay I feed the gulls?\n\nNo, you may not.\n')).toEqual([])
  })

  test.each([
    "What's the solution?",
    'How does it work?',
    'Why Lomm?',
    'Salt or gold?',
    'Re: Why do gulls sleep?',
    'What about the gulls?',
  ])('%s needs the text before it', async (heading) => {
    expect(await drafted(faq, `# ${heading}\n\n${GULLS}\n`)).toEqual([])
  })

  test('all text up to the next question is the answer; none if it is long or ends before a list', async () => {
    const answer = `There are these rules:\n\n- ${SALT}\n\n- ${GULLS}`
    expect(
      await drafted(faq, `# FAQ\n\n1.2. May I feed gulls?\n\n${answer}\n\nMay I buy salt?\n\n${SALT}\n`),
    ).toEqual([
      ['faq', 'May I feed gulls?', answer],
      ['faq', 'May I buy salt?', SALT],
    ])
    expect(await drafted(faq, `# May I feed gulls?\n\n${`${GULLS}\n\n`.repeat(20)}`)).toEqual([])
    expect(await drafted(faq, '# May I feed gulls?\n\nYes. In Lomm, there are these rules:\n')).toEqual([])
    expect(await drafted(faq, '1.2. May I feed gulls?\n\n1.3. Rules of Lomm about its own gulls.')).toEqual(
      [],
    )
  })
})

describe('definitions', () => {
  test.each([
    ['A tide table is a list of the hours of high water.', 'What is a tide table?'],
    ['Tide raising force (TRF) is a pull of the moon.', 'What is Tide raising force?'],
    ['Deep dredging is a way to clear the harbour.', 'What is deep dredging?'],
    ['The tide bell refers to a bell that is rung twice.', 'What is the tide bell?'],
    ['Iron rings are the rings of the quay.', 'What are iron rings?'],
  ])('%s', async (text, question) => {
    expect(await drafted(definitions, text)).toEqual([['definition', question, text]])
  })

  test.each([
    'The tide bell is an important part of the harbour.',
    'The bell is a thing that is rung at night.',
    'Ringing the bell is a duty of the clerk.',
    'The depth option is a number of feet in water.',
    'The tide bell is a loud bell, so it was easy to hear.',
    'The tide bell is a bell with the following parts:',
    'Not ringing the bell is a duty of the clerk.',
    'The tide bell is the same as before.',
  ])('%s gives none', async (text) => {
    expect(await drafted(definitions, text)).toEqual([])
  })
})

describe('passages', () => {
  const document = (text: string) => ({ id: 'd', title: '', text }) as never

  test('paragraphs below each heading, without the space around them', () => {
    const text = `first  \n\n# One\n\n  a\n  b  \n\n\n c\n# Two`
    const sections = sectionsWithParagraphs(document(text)).map(({ path, paragraphs }) => [
      path.join(' > '),
      ...paragraphs.map(({ start, end }) => text.slice(start, end)),
    ])
    expect(sections).toEqual([['', 'first'], ['One', 'a\n  b', 'c'], ['Two']])
  })

  test('gold ends with a sentence of at most 600 characters', () => {
    const goldOf = (text: string) => goldFrom(document(text), { start: 0, end: text.length })?.end
    const sentence = 'The gulls of Lomm sleep on the old pier in the winter of each year. '
    expect(goldOf(sentence.repeat(20).trim())).toBe(8 * sentence.length - 1)
    expect(goldOf('word '.repeat(200))).toBe(600)
    expect(goldOf('a'.repeat(300))).toBeUndefined()
    const [first, second] = ['One two three four five six seven. ', `${'gulls '.repeat(93)}sleeps.`]
    expect((first + second).length).toBe(600)
    expect(goldOf(`${first}${second} Winter ends.`)).toBe(600)
    const exact = `${'word '.repeat(119)}words`
    expect([exact.length, goldOf(exact)]).toEqual([600, 600])
    // Six words, and an image is no text.
    expect(goldOf('One two three four five six')).toBe(27)
    expect(goldOf('One two three four five')).toBeUndefined()
    expect(goldOf('One two three four five ![six seven](a b c d)')).toBeUndefined()
    expect(goldOf('One two three four five six:')).toBeUndefined()
  })
})
