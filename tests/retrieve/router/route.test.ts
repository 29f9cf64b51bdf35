import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_RULES, namesIn, readRules, routeByRules } from '../../../src/retrieve/router/rules.ts'

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
