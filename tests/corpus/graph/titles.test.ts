import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { titles as titleExtractor } from '../../../src/corpus/graph/extractors/titles.ts'
import { linkByTitles } from '../../../src/corpus/graph/title-links.ts'
import {
  findTitles,
  indexTitles,
  leadsOn,
  titledIn,
  titleKeys,
  titleReset,
} from '../../../src/corpus/graph/titles.ts'
import { head, rankPairs } from '../../../src/ranking/order.ts'
import { writtenKey } from '../../../src/text/entity-key.ts'
import { describeShared, shared } from '../../shared.ts'
import { chunksOf } from './chunks.ts'

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
    const found = titledIn('Which settings are there in Port Ellery?', titles, rarity)
    expect(Array.from(found.nodes)).toEqual([0, 1, 3])
    expect(Array.from(found.weights)).toEqual([1 / 6, 1, 1 / 6])
  })
})

describe('titles in scripts without spaces', () => {
  const CITIES = [
    ['北镇', '北镇位于湖边。'],
    ['南镇 (城市)', '南镇在山上，离北镇很远。'],
    ['とても長い名前の日本語の町', '湖の町。'],
    ['', 'とても長い名前の日本語の町は北镇から遠い。'],
    ['서울', '서울은 도시이다.'],
    ['', '이 기차는 서울로 간다.'],
  ] as const
  const titles = indexTitles(CITIES.map(([title]) => title))

  it('are found inside sentences, from two letters on', () => {
    expect(titleKeys('北镇')).toEqual(['北 镇'])
    expect(titleKeys('北')).toEqual([])
    const { csr, rarity } = linkByTitles(
      CITIES.map(([, text]) => text),
      titles,
    )
    const linked = CITIES.map((_, row) => [...csr.targets.subarray(csr.offsets[row], csr.offsets[row + 1])])
    expect(linked).toEqual([[1, 3], [0], [3], [0, 2], [5], [4]])
    expect(Array.from(titledIn('南镇离北镇多远？', titles, rarity).nodes)).toEqual([0, 1])
  })

  it('are related by the extractor', async () => {
    const input = chunksOf(CITIES)
    const { links } = await titleExtractor.extract(input, {})
    expect(links.map(({ source, target }) => `${source} ${target}`)).toEqual(['南镇 (城市) 北镇'])
  })

  it('are written without spaces', () => {
    expect(writtenKey('in 北 镇 at サ ー バ ー')).toBe('in 北镇 at サーバー')
    expect(writtenKey('new york')).toBe('new york')
  })
})

const resetOf = (nodes: number[]) => ({ nodes, weights: nodes.map(() => 1) })

describe('a reset', () => {
  const options = { top: 3, power: 2, titleWeight: 1 }
  const prior = rankPairs([4, 7, 2, 5], [9, 5, 1, 0.5], 4)

  it('is the best of the prior, squared on their own scale, and what the query titles', () => {
    const { nodes, weights } = titleReset(prior, { nodes: [2, 7], weights: [0.5, 0.25] }, options, 10)
    expect(Array.from(nodes)).toEqual([4, 7, 2])
    expect(Array.from(weights)).toEqual([1, 0.25 + 0.25, 0.5])
  })

  it('of a prior that finds little begins at 0, so that a lone passage has weight', () => {
    const reset = (n: number, chunks: number) =>
      Array.from(titleReset(head(prior, n), resetOf([]), options, chunks).weights)
    expect(reset(1, 10)).toEqual([1])
    expect(reset(2, 10)).toEqual([1, (5 / 9) ** 2])
    // All chunks are in the prior: the last of them is the lowest.
    expect(reset(2, 2)).toEqual([1])
  })
})

it('a walk leads on from a title that was found or from a link, else nowhere', () => {
  const { csr } = linkByTitles(['Ada met Bob.', 'None.', 'None.'], indexTitles(['Ada', 'Bob', 'Cid']))
  const options = { top: 20, power: 2, titleWeight: 1 }
  const leads = (nodes: number[], titled: number[], titleWeight = 1) =>
    leadsOn(resetOf(nodes), resetOf(titled), { ...options, titleWeight }, csr)
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
      const { csr } = linkByTitles(
        documents.map(({ text }) => text),
        indexTitles(documents.map(({ title }) => title)),
      )
      expect(csr.targets.length / 2).toBe(edges)
    })
})
