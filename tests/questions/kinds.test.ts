import { describe, expect, test } from 'vitest'
import type { Drafter } from '../../src/questions/draft.ts'
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
})

describe('passages', () => {
  const document = (text: string) => ({ id: 'd', title: '', text }) as never

  test('paragraphs below each heading, without the space around them', () => {
    const text = `first  \n\n# One\n\n  a\n  b  \n\n\n c\n# Two`
    const found = sectionsWithParagraphs(document(text)).map(({ path, paragraphs }) => [
      path.join(' > '),
      ...paragraphs.map(({ start, end }) => text.slice(start, end)),
    ])
    expect(found).toEqual([['', 'first'], ['One', 'a\n  b', 'c'], ['Two']])
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
