import { describe, expect, it } from 'vitest'
import {
  findTitles,
  indexTitles,
  linkByTitles,
  titledIn,
  titleKeys,
} from '../../../src/corpus/graph/titles.ts'

describe('titles', () => {
  it('are known by their key and without parentheses, over 2 characters and to 8 words', () => {
    expect(titleKeys('Alien (film)')).toEqual(['alien film', 'alien'])
    expect(titleKeys('IL')).toEqual([])
    expect(titleKeys('It (film)')).toEqual(['it film'])
    expect(titleKeys('a b c d e f g h')).toHaveLength(1)
    expect(titleKeys('a b c d e f g h i')).toEqual([])
  })

  it('are found as whole words, the overlapping ones too', () => {
    const titles = indexTitles(['New York', 'New York City', 'York', 'Yorkshire (county)'])
    const spans = findTitles('In New-York City, not Yorkshires.', titles)
    expect(spans).toEqual([
      { key: 'new york', start: 1, words: 2 },
      { key: 'new york city', start: 1, words: 3 },
      { key: 'york', start: 2, words: 1 },
    ])
  })

  it('link two passages once, and none to itself, the stronger the rarer the mention', () => {
    const titles = indexTitles(['Ada', 'Bob', 'Ada'])
    const { csr, rarity } = linkByTitles(['Ada met Bob and Bob.', 'Bob met Bob.', 'Nobody.'], titles)
    // Ada is mentioned by one passage and carried by two, Bob mentioned by two.
    expect([...rarity]).toEqual([
      ['ada', 1 / 2],
      ['bob', 1 / 2],
    ])
    expect([...csr.offsets]).toEqual([0, 2, 3, 4])
    expect([...csr.targets]).toEqual([1, 2, 0, 0])
    expect([...csr.weights]).toEqual([1 / 2, 1 / 2, 1 / 2, 1 / 2])
  })

  it('in a query weigh their rarity; the longest of overlapping ones counts', () => {
    const titles = indexTitles(['Settings', 'Port Ellery', 'Ellery', 'Settings'])
    const { rarity } = linkByTitles(['Settings.', 'Settings.', 'Port Ellery.', 'Settings.'], titles)
    const reset = titledIn('Which settings are there in Port Ellery?', titles, rarity)
    expect(Array.from(reset.nodes)).toEqual([0, 1, 3])
    expect(Array.from(reset.weights)).toEqual([1 / 6, 1, 1 / 6])
  })
})
