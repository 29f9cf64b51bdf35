import { describe, expect, test } from 'vitest'
import { references } from '../../src/questions/kinds/references.ts'

test('a sentence asks about the passage that it names, whichever of the two documents comes first', async () => {
  const document = (id: string, named: string, asked: string) => ({
    id,
    title: `${named} Rules`,
    text: `# ${named} Rules\n\nWhoever comes late pays two silver pieces to the clerk of the ${id} on the same day.\n\n## Hours\n\nThe clerk says that the ${asked} Rules hold on holidays too, and rings the bell at noon.\n`,
  })
  const documents = [document('mole', 'Mooring', 'Quay'), document('quay', 'Quay', 'Mooring')]
  const drafts = await references(documents as never)
  expect(drafts.map(({ gold, answer }) => [answer, gold.map(({ documentId }) => documentId)])).toEqual([
    ['Quay Rules', ['mole', 'quay']],
    ['Mooring Rules', ['quay', 'mole']],
  ])
})

describe('a mention', () => {
  const PAID = 'Ships pay two silver pieces to the clerk of the harbour.'
  const document = (id: string, title: string, text: string) => ({ id, title, text })
  const quay = document(
    'quay',
    'Quay Rules',
    `# Empty\n\n## Fees\n\n${PAID}\n\nThe clerk keeps a book of all ships.\n`,
  )
  const asked = (text: string, ...others: ReturnType<typeof document>[]) =>
    references([
      document('notes', 'Notes', text),
      quay,
      document('void', 'Void Rules', ''),
      ...others,
    ] as never)
  const SAID = 'The clerk says that the Quay Rules hold on holidays too.'

  test('is left out, and the first paragraph of what it names is gold', () => {
    expect(asked(`${SAID} ${SAID}\n`)).toEqual([
      {
        kind: 'reference',
        text: 'What is said about the thing left out here: "The clerk says that the ___ hold on holidays too."',
        gold: [
          { documentId: 'notes', start: 0, end: SAID.length },
          { documentId: 'quay', start: 18, end: 18 + PAID.length },
        ],
        answer: 'Quay Rules',
        from: ['notes', 'quay'],
      },
    ])
  })

  test('of a document is about its first paragraph, also if a later section has more', () => {
    const later = `# Later\n\n${PAID.replace('two', 'ten')}\n\nThe clerk keeps a book of all ships.\n`
    const dock = document('dock', 'Dock Rules', `# Early\n\n${PAID}\n\n${later}`)
    expect(asked(SAID.replace('Quay', 'Dock'), dock).map(({ gold }) => gold[1])).toEqual([
      { documentId: 'dock', start: 9, end: 9 + PAID.length },
    ])
  })

  test.each([
    [49, 0],
    [50, 1],
    [220, 1],
    [221, 0],
  ])('in a sentence of %i characters gives %i questions', (length, count) => {
    const [before, after] = ['The ', ' Quay Rules hold.']
    const sentence = `${before}${'a'.repeat(length - before.length - after.length)}${after}`
    expect([sentence.length, asked(sentence).length]).toEqual([length, count])
  })

  test('may end the text, or begin with a word that ends with signs', () => {
    expect(
      asked('On holidays too, says the clerk, ships must keep the Quay Rules').map(({ answer }) => answer),
    ).toEqual(['Quay Rules'])
    const style = document('style', 'C++ Style Guide', `# C++ Style Guide\n\n${PAID}\n`)
    expect(
      asked('On holidays too, says the clerk, ships keep the C++ Style Guide.', style).map(
        ({ answer }) => answer,
      ),
    ).toEqual(['C++ Style Guide'])
  })

  test.each([
    ['two documents have', [document('again', 'Quay Rules', quay.text)]],
    [
      'two sections of a document have',
      [document('twice', 'Twice', `# Pier Laws\n\n${PAID}\n\n# Pier Laws\n\n${PAID}\n`)],
    ],
    ['begins with a small letter', [document('small', 'pier Laws', PAID)]],
    ['is one word', [document('one', 'Pier', PAID)]],
  ])('of a name that %s gives none', (_, others) => {
    const name =
      others[0].title === 'Quay Rules'
        ? 'Quay Rules'
        : others[0].title === 'Twice'
          ? 'Pier Laws'
          : others[0].title
    expect(asked(`The clerk says that the ${name} hold on holidays too.`, ...others)).toEqual([])
  })

  test('of a section of its own document asks, unless it is in the passage itself', () => {
    const own = (text: string) =>
      asked(text).map(({ gold, from }) => [from, gold.map(({ start, end }) => text.slice(start, end))])
    const said = 'The clerk says that the Pier Laws hold on holidays too.'
    const section = `# Pier Laws\n\n${PAID}`
    for (const text of [`${said}\n\n${section}\n`, `${section}\n\n# Other\n\n${said}\n`])
      expect(own(text)).toEqual([[['notes'], [said, PAID]]])
    expect(own(`# Pier Laws\n\n${said}\n`)).toEqual([])
    // The gold ends with 600 characters; a Chinese full stop needs no space after it.
    const full = `${'Ships pay two silver pieces. '.repeat(20)}${'a'.repeat(19)}。`
    expect(own(`# Pier Laws\n\n${full}${said}\n`)).toEqual([[['notes'], [said, full]]])
  })
})
