import { describe, expect, test } from 'vitest'
import { parseYaml } from '../../src/text/yaml.ts'

const diagnostics = (text: string) =>
  parseYaml(text, 'a.yaml').diagnostics.map(({ line, column, message }) => `${line}:${column} ${message}`)

describe('YAML', () => {
  test.each([
    ['a: .nan', '1:4 `.nan` is not a finite number'],
    ['a: [1, -.inf]', '1:8 `-.inf` is not a finite number'],
    ['a: 1e999', '1:4 `1e999` is not a finite number'],
    [
      'a: !!timestamp 2001-01-01',
      '1:16 the tag `!!timestamp` is unknown; there are !!str, !!int, !!float, !!bool, !!null, !!map, !!seq',
    ],
    ['a: !!binary aGVsbG8=', /^1:13 the tag `!!binary`/],
    ['a: !mine {b: 1}', /^1:10 the tag `!mine`/],
    ['a: &x [1, *x]', '1:11 the alias `*x` is inside the node that it refers to'],
    ['a: &x {b: {c: *x}}', '1:15 the alias `*x` is inside the node that it refers to'],
    ['a: *x', '1:4 there is no anchor `&x` above this alias'],
    ['__proto__: 1', '1:1 `__proto__` cannot be a key'],
    ['a: 1\n? [b]\n: 2', '2:3 a key must be text, not a list or a map'],
    ['a: "x\\0"', '1:4 holds a control character'],
    ['"\\e[1m": 1', '1:1 holds a control character'],
    ['%YAML 1.1\n---\na: yes', /^1:1 is YAML 1.2; `%YAML 1.1`/],
    ['a: 1\n<<: 5', /^2:5 `<<` merges a map/],
    ['<<:', /^1:4 `<<` merges a map/],
    ['a: {<<: text}', /^1:9 `<<` merges a map/],
    ['a: [{<<: [{b: 1}, 5]}]', /^1:10 `<<` merges a map/],
    ['a: &x 5\nb: {<<: *x}', /^2:9 `<<` merges a map/],
    ['a: &x [5]\nb: {<<: *x}', /^2:9 `<<` merges a map/],
    ['a: 1\n---\nb: 2\n', '2:1 a second document begins here; write each into a file of its own'],
    ['a:1\nb: {c: 1}\n', '1:1 this line has no key: write a blank behind the colon, as `key: value`'],
    ['<<: {<<: [[{b: 1}]]}', /^1:10 `<<` merges a map/],
    [`a: ${'['.repeat(150)}${']'.repeat(150)}`, /nested more than 100 deep$/],
    [`a: ${'['.repeat(20_000)}${']'.repeat(20_000)}`, /nested more than 100 deep$/],
  ])('%.40s is refused', (text, message) => {
    expect(diagnostics(text)).toEqual([
      typeof message === 'string' ? message : expect.stringMatching(message),
    ])
    expect(parseYaml(text, 'a.yaml').readable).toBe(false)
  })

  test('aliases that multiply are refused soon', { timeout: 20_000 }, () => {
    const levels = Array.from({ length: 12 }, (_, level) =>
      level === 0 ? 'a0: &a0 [1]' : `a${level}: &a${level} [${`*a${level - 1},`.repeat(9)}]`,
    )
    expect(diagnostics(levels.join('\n'))).toEqual([
      '1:1 its aliases expand to too many copies; write them out, or use fewer',
    ])
    const many = `a: &a [1]\nb: [${'*a,'.repeat(20_000)}]`
    expect(parseYaml(many, 'a.yaml').diagnostics.length).toBeLessThanOrEqual(1)
  })

  test('maps, aliases and lists of both are merged; a quoted `<<` is a name', () => {
    const { value, diagnostics: none } = parseYaml(
      'a: &x {b: 1}\ny: &y [*x]\nc: {<<: [*x, {d: 2}]}\ne: {<<: *y}\nf: {"<<": 5}\ng: {<<: {h: 3}}\n',
      'a.yaml',
    )
    expect(none).toEqual([])
    expect(JSON.parse(JSON.stringify(value))).toMatchObject({
      c: { b: 1, d: 2 },
      e: { b: 1 },
      f: { '<<': 5 },
      g: { h: 3 },
    })
  })

  test('plain data with anchors, merges, core tags and any other names is read', () => {
    const { value, diagnostics: none } = parseYaml(
      'a: &x {b: !!str 1, constructor: [2]}\nc: {<<: *x, toString: ~}\nd: [*x]\n',
      'a.yaml',
    )
    expect(none).toEqual([])
    expect(JSON.stringify(value)).toBe(
      '{"a":{"b":"1","constructor":[2]},"c":{"b":"1","constructor":[2],"toString":null},"d":[{"b":"1","constructor":[2]}]}',
    )
  })
})
