import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findTitles, indexTitles, leadsOn, titleKeys } from '../../src/graph/titles.ts'
import { linkByTitles } from '../../src/prepare/title-links.ts'
import { describeShared, shared } from '../shared.ts'

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
    const found = findTitles('In New-York City, not Yorkshires.', titles)
    expect(found).toEqual([
      { key: 'new york', start: 1, words: 2 },
      { key: 'new york city', start: 1, words: 3 },
      { key: 'york', start: 2, words: 1 },
    ])
  })

  it('link two passages once, and none to itself', () => {
    const titles = indexTitles(['Ada', 'Bob', 'Ada'])
    const { offsets, targets, weights } = linkByTitles(
      ['Ada met Bob and Bob.', 'Bob met Ada.', 'Nobody.'],
      titles,
    )
    expect([...offsets]).toEqual([0, 2, 4, 6])
    expect([...targets]).toEqual([1, 2, 0, 2, 0, 1])
    expect(new Set(weights)).toEqual(new Set([1]))
  })
})

it('a walk leads on from a title that was found or from a link, else nowhere', () => {
  const csr = linkByTitles(['Ada met Bob.', 'None.', 'None.'], indexTitles(['Ada', 'Bob', 'Cid']))
  const options = { top: 20, power: 2, titleWeight: 1 }
  const leads = (nodes: number[], titled: number[], titleWeight = 1) =>
    leadsOn({ nodes, weights: nodes.map(() => 1) }, titled, { ...options, titleWeight }, csr)
  expect(leads([0, 2], [])).toBe(true)
  expect(leads([2], [])).toBe(false)
  expect(leads([2], [2])).toBe(true)
  expect(leads([], [])).toBe(false)
  // A title that weighs nothing leads nowhere.
  expect(leads([2], [2], 0)).toBe(false)
})

describeShared('title links of the shared sets', () => {
  const expected = {
    'musique-train-100': 2070,
    'hotpotqa-train-100': 629,
    '2wiki-101': 4768,
    'claude-docs-100': 853,
    'xquad-en': 357,
  }
  for (const [set, edges] of Object.entries(expected))
    it(`${set}: ${edges} edges`, () => {
      const lines = readFileSync(shared('data', set, 'corpus.jsonl'), 'utf8')
        .trimEnd()
        .split('\n')
      const documents = lines.map((line) => JSON.parse(line) as { title: string; text: string })
      const csr = linkByTitles(
        documents.map(({ text }) => text),
        indexTitles(documents.map(({ title }) => title)),
      )
      expect(csr.targets.length / 2).toBe(edges)
    })
})
