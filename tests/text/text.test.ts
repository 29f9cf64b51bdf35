import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { wellFormed } from '../../src/text/characters.ts'
import { entityKey } from '../../src/text/entity-key.ts'
import { headingsOf } from '../../src/text/headings.ts'
import { compareIds } from '../../src/text/ids.ts'
import { didYouMean, nearest } from '../../src/text/nearest.ts'
import { sentences } from '../../src/text/sentences.ts'

const anyText = fc.string({ unit: 'binary' })

describe('order of ids', () => {
  test('is Buffer.compare for all of Unicode, halves of surrogate pairs too', () => {
    const raw = fc.string({
      unit: fc.constantFrom(
        'a',
        'b',
        'é',
        '\uD7FF',
        '\uE000',
        '\uFFFD',
        '\uFFFF',
        '😀',
        '𐀀',
        '\uD83D',
        '\uDE00',
      ),
    })
    const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
    fc.assert(
      fc.property(fc.oneof(raw, anyText), fc.oneof(raw, anyText), (a, b) => {
        expect(Math.sign(compareIds(a, b))).toBe(Math.sign(byBytes(a, b)))
      }),
      { numRuns: 2000 },
    )
  })
})

describe('nearest names', () => {
  test('finds a slip and nothing far off', () => {
    const measures = ['recall@5', 'recall@10', 'mrr', 'ndcg@10']
    expect(nearest('recal@5', measures)).toBe('recall@5')
    expect(nearest('NDCG@10', measures)).toBe('ndcg@10')
    expect(nearest('bier', ['beir'])).toBe('beir')
    expect(nearest('rnu', ['list', 'run'])).toBe('run')
    expect(nearest('abc', ['xyc'])).toBeUndefined()
    expect(nearest('precision', measures)).toBeUndefined()
    expect(didYouMean('mmr', measures)).toBe(' (did you mean "mrr"?)')
    expect(didYouMean('xyz', measures)).toBe('')
  })
})

describe('entity key', () => {
  test.each([
    ['  The U.S. Army!', 'the u s army'],
    ['Café—Müller', 'café müller'],
    ['北京 (city)', '北京 city'],
    ['...', ''],
    ['किरण', 'किरण'],
    ['İzmir', 'i̇zmir'],
  ])('%s', (name, key) => expect(entityKey(name)).toBe(key))

  test('of a key is the key', () => {
    fc.assert(
      fc.property(anyText, (name) => {
        expect(entityKey(entityKey(name))).toBe(entityKey(name))
      }),
    )
  })
})

describe('sentences', () => {
  const split = (text: string) => sentences(text).map(({ start, end }) => text.slice(start, end))

  test.each([
    ['One. Two! Three?', ['One.', 'Two!', 'Three?']],
    [
      'Dr. J. R. Smith of the U.S. Army came. He left.',
      ['Dr. J. R. Smith of the U.S. Army came.', 'He left.'],
    ],
    [
      'It costs 3.5 pounds, i.e. much. "Really?" she said.',
      ['It costs 3.5 pounds, i.e. much.', '"Really?" she said.'],
    ],
    ['He said "Go." Then he went.', ['He said "Go."', 'Then he went.']],
    ['A heading\n\nA paragraph\nover two lines', ['A heading', 'A paragraph\nover two lines']],
    ['# Title\nText here.\n- one\n- two', ['# Title', 'Text here.', '- one', '- two']],
    ['1. First\n2. Second', ['1. First', '2. Second']],
    ['これは文です。次の文です。', ['これは文です。', '次の文です。']],
    ['', []],
    [' \n ', []],
  ])('%j', (text, expected) => expect(split(text)).toEqual(expected))
})

describe('headings', () => {
  test('are ATX headings outside fenced code', () => {
    const text = '# One #\n```sh\n# no heading\n```\n##Not one\n## **Two**\r\n    # code\n### \n~~~\n# none'
    expect(
      headingsOf(text).map(({ level, name, start }) => [level, name, text.slice(start, start + 3)]),
    ).toEqual([
      [1, 'One', '# O'],
      [2, 'Two', '## '],
      [3, '', '###'],
    ])
  })
})

test('halves of surrogate pairs become U+FFFD', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(wellFormed(text)).toBe(Buffer.from(text).toString())
    }),
  )
  expect(wellFormed('a\uD800b')).toBe('a\uFFFDb')
})
