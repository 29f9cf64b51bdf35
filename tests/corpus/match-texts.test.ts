import { describe, expect, test } from 'vitest'
import { textMatcher } from '../../src/corpus/match-texts.ts'

const chunk = (documentId: string, position: number, title: string, text: string) => ({
  documentId,
  position,
  title,
  text,
})
const NINE = 'one two three four five six seven eight nine'
const chunks = [
  chunk('a', 1, 'Peat', ' The peat burns. '),
  chunk('a', 2, 'Peat', 'ships of the north sail to the old harbour'),
  chunk('b', 0, '', 'The PEAT, burns twice.'),
  chunk('b', 1, '', 'Same text.'),
  chunk('c', 0, '', 'Same text.'),
  chunk('c', 1, 'Title alone', ''),
  chunk('d', 1, '', NINE),
  chunk('e', 0, '', NINE.replace('nine', 'ten eleven twelve')),
  chunk('a', 0, 'Peat', 'the keepers light their lamp each night'),
]

describe('the chunks that a text of another system means', () => {
  const match = textMatcher(chunks)
  test.each([
    ['its text', 'The peat burns.', [0]],
    ['blanks around it', '\n The peat burns.  ', [0]],
    ['its title and text', 'Peat\n The peat burns.', [0]],
    ['a title alone', 'Title alone', [5]],
    ['its words', 'the peat burns', [0]],
    ['the words of its title and text', 'PEAT: the peat burns!', [0]],
    ['full-width letters', 'ｔｈｅ peat burns twice', [2]],
    ['a text that two chunks have', 'Same text.', []],
    ['words that two chunks have', 'same, text', []],
    ['half of its sequences', 'all ships of the north sail to the sea', [1]],
    ['sequences of two documents', NINE.slice(0, -5), []],
    ['two chunks of a document, in their order', `${chunks[1].text}. ${chunks[8].text}`, [8, 1]],
    ['nothing', ' ', []],
    ['signs alone', '?!', []],
    ['other words', 'no word of theirs is here at all', []],
  ])('%s', (_, text, rows) => {
    expect(match(text)).toEqual(rows)
  })
})
