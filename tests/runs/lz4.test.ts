import { describe, expect, test } from 'vitest'
import { isLz4, ranxJson } from '../../src/runs/lz4.ts'

/** Bytes of CBOR for a value: a map, a text, or bytes as they are. */
type Value = string | Uint8Array | readonly (readonly [string | Uint8Array, Value])[]
function cbor(value: Value): Buffer {
  if (value instanceof Uint8Array) return Buffer.from(value)
  if (typeof value === 'string')
    return Buffer.concat([Buffer.of(0x60 + Buffer.byteLength(value)), Buffer.from(value)])
  return Buffer.concat([Buffer.of(0xa0 + value.length), ...value.flat().map((one) => cbor(one as Value))])
}
const bytes = (...given: number[]) => Uint8Array.from(given)
const scored = (score: Uint8Array) => cbor([['q', [['a', score]]]])
const read = (given: Uint8Array) => ranxJson(given).toString()

const MAGIC = [0x04, 0x22, 0x4d, 0x18]
const word = (value: number) => [value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24]
/** A frame of blocks; `flags` beside its version, `after` follows each block. */
function frame(blocks: Uint8Array[], { flags = 0, after = [] as number[], plain = true } = {}): Buffer {
  const header = [...MAGIC, 0x40 | flags, 0x70, ...(flags & 8 ? [1, 0, 0, 0, 0, 0, 0, 0] : []), 0]
  const written = blocks.flatMap((block) => [
    ...word(block.length + (plain ? 0x80000000 : 0)),
    ...block,
    ...after,
  ])
  return Buffer.from([...header, ...written, 0, 0, 0, 0])
}

describe('content of ranx in CBOR', () => {
  test.each<[string, Uint8Array, number | string]>([
    ['0', bytes(0), 0],
    ['the largest whole number of one byte', bytes(23), 23],
    ['a whole number of 8 bits', bytes(24, 200), 200],
    ['of 16 bits', bytes(25, 1, 2), 258],
    ['of 32 bits', bytes(26, 0, 1, 0, 0), 65_536],
    ['of 64 bits', bytes(27, 0, 0, 0, 1, 0, 0, 0, 0), 2 ** 32],
    ['-1', bytes(0x20), -1],
    ['a negative number of 8 bits', bytes(0x38, 99), -100],
    ['half of one', bytes(0xf9, 0x38, 0), 0.5],
    ['a half with a sign and a fraction', bytes(0xf9, 0xc1, 0), -2.5],
    ['the largest half', bytes(0xf9, 0x7b, 0xff), 65_504],
    ['the smallest half', bytes(0xf9, 0, 1), 2 ** -24],
    ['the smallest normal half', bytes(0xf9, 0x04, 0), 2 ** -14],
    ['a single', bytes(0xfa, 0x3f, 0xc0, 0, 0), 1.5],
    ['a double', bytes(0xfb, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0), 1.5],
  ])('a score is read: %s', (_, score, value) => {
    expect(read(scored(score))).toBe(`{"q":{"a":${value}}}`)
  })

  test('numbers that are none become null, which the reader of runs refuses', () => {
    for (const half of [bytes(0xf9, 0x7c, 0), bytes(0xf9, 0xfc, 0), bytes(0xf9, 0x7c, 1)])
      expect(read(scored(half))).toBe('{"q":{"a":null}}')
  })

  test('maps keep their order, and a whole number is a key', () => {
    expect(
      read(
        cbor([
          [
            bytes(7),
            [
              ['b', bytes(1)],
              ['a', bytes(2)],
            ],
          ],
          ['ü', []],
        ]),
      ),
    ).toBe('{"7":{"b":1,"a":2},"ü":{}}')
    expect(read(cbor('text'))).toBe('"text"')
  })

  test.each<[string, Uint8Array, string]>([
    ['nothing', bytes(), 'its content ends too early'],
    ['a map without its entries', bytes(0xa1), 'its content ends too early'],
    ['a number without its bytes', bytes(25, 1), 'its content ends too early'],
    ['a text that is cut', bytes(0x62, 0x61), 'its content ends too early'],
    ['a length that CBOR does not know', bytes(28, 0), 'its content ends too early'],
    ['bytes behind it', bytes(0xa0, 0), 'bytes follow the end of its content'],
    ['a list', bytes(0x80), 'its content is not a run or qrels of ranx'],
    ['true', bytes(0xf5), 'its content is not a run or qrels of ranx'],
    ['a map as a key', cbor([[bytes(0xa0), bytes(1)]]), 'its content is not a run or qrels of ranx'],
    [
      'maps too deep',
      cbor([['a', [['b', [['c', [['d', '']]]]]]]]),
      'its content is not a run or qrels of ranx',
    ],
  ])('%s is refused', (_, content, message) => {
    expect(() => ranxJson(content)).toThrow(new Error(message))
  })

  test('three maps inside each other are read', () => {
    expect(read(cbor([['a', [['b', [['c', bytes(1)]]]]]]))).toBe('{"a":{"b":{"c":1}}}')
  })
})

describe('frames of LZ4', () => {
  const content = scored(bytes(1))
  const json = '{"q":{"a":1}}'
  const halves = [content.subarray(0, 3), content.subarray(3)]

  test('begin with their mark and have a header', () => {
    expect(isLz4(bytes(...MAGIC, 0, 0, 0))).toBe(true)
    expect(isLz4(bytes(...MAGIC, 0, 0))).toBe(false)
    expect(isLz4(bytes(0, ...MAGIC, 0, 0))).toBe(false)
  })

  test.each([
    ['one block', frame([content])],
    ['two blocks', frame(halves)],
    ['blocks with checksums', frame(halves, { flags: 16, after: [9, 9, 9, 9] })],
    ['a header with the size of the content', frame(halves, { flags: 8 })],
    ['a frame in a frame', frame([frame([content])])],
    ['a block of literals', frame([Buffer.concat([bytes(content.length << 4), content])], { plain: false })],
  ])('are read: %s', (_, given) => {
    expect(read(given)).toBe(json)
  })

  test('repeat what came before, also what they are writing; lengths and distances may be long', () => {
    const packed = (...block: number[]) => JSON.parse(read(frame([bytes(...block)], { plain: false })))
    const letters = (letter: string, count: number) => [...Buffer.from(letter.repeat(count))]
    expect(packed(0x2a, 0x77, 0x61, 1, 0, 0x80, ...Buffer.from('bcdefghi'))).toBe(`${'a'.repeat(15)}bcdefghi`)
    const long = [0x4f, 0x79, 0x02, 0x26, 0x61, 1, 0, 255, 5, 0xf0, 255, 0, ...letters('b', 270)]
    expect(packed(...long)).toBe('a'.repeat(280) + 'b'.repeat(270))
    const far = [0xf0, 245, 0x79, 1, 5, ...letters('x', 1), ...letters('y', 256), 1, 1]
    expect(packed(...far)).toBe(`x${'y'.repeat(256)}xyyy`)
  })

  test('of more than 64 KB are read', () => {
    const text = Buffer.from('x'.repeat(240_000))
    const header = Buffer.from([0x7a, 0, 3, 0xa9, 0x80])
    expect(read(frame([header, text.subarray(0, 40_000), text.subarray(40_000)]))).toBe(`"${text}"`)
  })

  test.each<[string, Buffer, string]>([
    [
      'of another version',
      frame([content], { flags: 0x80 }),
      'it is of another version of LZ4, or needs a dictionary',
    ],
    [
      'with a dictionary',
      frame([content], { flags: 1 }),
      'it is of another version of LZ4, or needs a dictionary',
    ],
    ['without an end mark', frame([content]).subarray(0, -1), 'it ends too early'],
    ['with a block that is cut', frame([content]).subarray(0, -6), 'it ends too early'],
    ['with literals that are cut', frame([bytes(0x50, 1)], { plain: false }), 'it ends too early'],
    ['with a length that is cut', frame([bytes(0xf0)], { plain: false }), 'it ends too early'],
    ['with half a distance', frame([bytes(0x10, 1, 1)], { plain: false }), 'it ends too early'],
    [
      'with a distance of 0',
      frame([bytes(0x10, 1, 0, 0)], { plain: false }),
      'it refers to bytes before its beginning',
    ],
    [
      'with a distance too far',
      frame([bytes(0x10, 1, 2, 0)], { plain: false }),
      'it refers to bytes before its beginning',
    ],
    [
      'three deep',
      frame([frame([frame([content])])]),
      'it holds more than two frames of LZ4 inside each other',
    ],
  ])('are refused: %s', (_, given, message) => {
    expect(() => ranxJson(given)).toThrow(new Error(message))
  })
})
