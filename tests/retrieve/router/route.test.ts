import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  asksNames,
  DEFAULT_RULES,
  hashRules,
  isFitted,
  namesIn,
  readRules,
  routeByRules,
} from '../../../src/retrieve/router/rules.ts'
import { sha256 } from '../../../src/store/hash.ts'
import { temporaryFolder } from '../../temporary.ts'

describe('route, by the rules of seed document 003', () => {
  it.each([
    ['Summarize the debate on tariffs', 'graphrag-global', 'summarise'],
    ['give me an overview of Alice and Bob', 'graphrag-global', 'summarise'],
    ['the landscape of the trade', 'graphrag-global', 'summarise'],
    ['How did Alice meet Bob?', 'graphrag-local', 'names'],
    ['How does the IPCC work?', 'graphrag-local', 'names'],
    ['How do Salt and peat connect?', 'graphrag-local', 'names'],
    ['how does the IPCC work?', 'hybrid', 'otherwise'],
    ['what is the relationship of salt and peat', 'lightrag', 'relations'],
    ['how are tides linked to the moon', 'lightrag', 'relations'],
    ['how do salt and peat connect', 'lightrag', 'relations'],
    ['what is a bowline', 'hybrid', 'facts'],
    ['define salt', 'hybrid', 'facts'],
    ['who is the founder', 'hybrid', 'facts'],
    ['why do lamps blink', 'hybrid', 'otherwise'],
    ['', 'hybrid', 'otherwise'],
  ])('%s -> %s', (text, arm, rule) => {
    expect(routeByRules(text, readRules('seed-003'))).toMatchObject({ arm, rule })
  })

  it('takes a rule only where all its conditions hold', () => {
    const rules = { rules: [{ capitalised: 2, pattern: '\\d{4}', arm: 'graph' }], otherwise: 'naive' }
    expect(routeByRules('Did Alice meet Bob?', rules).arm).toBe('naive')
    expect(routeByRules('Did Alice meet Bob in 1843?', rules)).toMatchObject({ arm: 'graph', rule: 'rule 1' })
  })
})

describe('reasons of a rule', () => {
  it.each(['seed-003', 'seed-003-substring'])('two capitalised words are names by %s', (set) => {
    expect(routeByRules('did Ann meet Bo', readRules(set))).toMatchObject({ rule: 'names' })
    expect(routeByRules('Did she', readRules(set))).toMatchObject({ rule: 'otherwise' })
  })
})

describe('route, by its own rules', () => {
  it.each([
    ['How did Alice rise?', 'title-ppr', '1 word looks like a name: Alice'],
    ['Did Alice meet Bob?', 'title-ppr', '2 words look like names: Alice, Bob'],
    ['How do tides rise?', 'hybrid', 'no rule holds'],
  ])('%s -> %s', (text, arm, because) => {
    expect(routeByRules(text, readRules(DEFAULT_RULES))).toMatchObject({ arm, because })
  })
})

describe('namesIn', () => {
  it.each([
    ['Who met Alice Miller in Paris? Then left Bob. Carol.', ['Alice', 'Miller', 'Paris', 'Bob']],
    ['Alice', []],
    ["What's O'Brien's code, and am I, as I'm asked, in X?", ["O'Brien's"]],
    ['"Alice" met (Bob)', ['Bob']],
    ['2 Towns in the USA', ['Towns', 'USA']],
    ['where is Öland', ['Öland']],
    ['', []],
  ])('%s', (text, names) => expect(namesIn(text)).toEqual(names))
})

describe('readRules', () => {
  const read = (text: string) => readRules(join(temporaryFolder({ 'rules.yaml': text }), 'rules.yaml'))

  it('reads rules as data', () => {
    expect(read('rules:\n  - any: [compare]\n    arm: lightrag\notherwise: naive\n')).toEqual({
      rules: [{ any: ['compare'], arm: 'lightrag' }],
      otherwise: 'naive',
    })
  })
})

it('rules of a file are pinned by its content; names of rules are no files', () => {
  const folder = temporaryFolder({ 'rules.yaml': 'rules: []\notherwise: a\n' })
  expect(hashRules(join(folder, 'rules.yaml'))).toEqual({ rules: sha256('rules: []\notherwise: a\n') })
  expect(['seed-003', 'fitted'].map(hashRules)).toEqual([{}, {}])
  expect(() => hashRules(join(folder, 'none.yaml'))).toThrow('no such file')
})

it.each([
  ['router', { rules: 'fitted' }, true],
  ['router', { rules: 'names' }, false],
  ['hybrid', { rules: 'fitted' }, false],
  ['hybrid', {}, false],
])('%s with %o is a fitted router: %s', (strategy, params, fitted) => {
  expect(isFitted({ strategy, params })).toBe(fitted)
})

it('rules ask for names in the query if one of them does', () => {
  const named = { found: 1, arm: 'a' }
  const worded = { any: ['x'], arm: 'a' }
  const asks = (...rules: (typeof named | typeof worded)[]) => asksNames({ rules, otherwise: 'b' })
  expect([asks(), asks(worded), asks(worded, named), asks(named)]).toEqual([false, false, true, true])
})

/** The router of seed document 003, line by line. */
function seedRoute(query: string): string {
  const lower = query.toLowerCase()
  const any = (...words: string[]) => words.some((word) => lower.includes(word))
  if (any('summarize', 'overview', 'landscape')) return 'graphrag-global'
  if (query.split(/\s+/).filter((word) => /^\p{Lu}/u.test(word)).length >= 2) return 'graphrag-local'
  if (any('relationship', 'connect', 'link')) return 'lightrag'
  return 'hybrid'
}

it('the substring variant of seed-003 finds words within others, as the seed does', () => {
  const text = 'why does it blink?'
  expect(routeByRules(text, readRules('seed-003')).arm).toBe('hybrid')
  expect(routeByRules(text, readRules('seed-003-substring')).arm).toBe('lightrag')
  const words = [
    ...'summarize overviews landscape relationships disconnect blink LINK undefined redefine'.split(' '),
    ...'what is who Alice Bob ETA a of (Paris) 3M Ünal'.split(' '),
  ]
  const texts = fc.array(fc.constantFrom(...words), { maxLength: 5 }).map((some) => some.join(' '))
  fc.assert(
    fc.property(texts, (text) => {
      expect(routeByRules(text, readRules('seed-003-substring')).arm).toBe(seedRoute(text))
    }),
    { numRuns: 500 },
  )
})
