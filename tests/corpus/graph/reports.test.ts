import { describe, expect, test } from 'vitest'
import { assembleCommunities, communityColumns } from '../../../src/corpus/graph/communities/assemble.ts'
import { incidenceOf, transpose } from '../../../src/corpus/graph/csr.ts'
import extractiveReports from '../../../src/corpus/graph/reports/extractive.ts'
import llmReports from '../../../src/corpus/graph/reports/llm.ts'
import { askEachOf, askNobody } from '../../../src/corpus/writer.ts'
import { BadCompletion } from '../../../src/models/chat/json.ts'
import type { Chat, FilledPrompt } from '../../../src/models/completions/chat.ts'

/** Ann and Bob (weight 2), Bob and Cy (1), Fay and Gus (1); Dan and Eve know nobody. */
const names = ['Ann', 'Bob', 'Cy', 'Dan', 'Eve', 'Fay', 'Gus']
const texts = [
  'Ann met Bob. Cy slept.\nBob  ran.',
  'Ann ran. Nobody came. Dan sang. Ann sang.',
  `Bob ${'and so on '.repeat(100)}.`,
  'Ann and Bob, of whom nothing was extracted here.',
]
const entitiesOfChunk = incidenceOf([[0, 1, 2], [0, 3], [1], []], 7)
const ends = { sources: Uint32Array.of(0, 1, 5), targets: Uint32Array.of(1, 2, 6) }
const graph = {
  chunks: 4,
  entities: {
    size: 7,
    names,
    keys: names.map((name) => name.toLowerCase()),
    descriptions: names.map((name) => (['Dan', 'Fay', 'Gus'].includes(name) ? `${name} is.` : '')),
    degrees: Uint32Array.of(1, 2, 1, 0, 0, 1, 1),
  },
  relationships: { ...ends, size: 3, weights: Float64Array.of(2, 1, 1) },
  relationshipsOfEntity: incidenceOf([[0], [0, 1], [1], [], [], [2], [2]], 3),
  entitiesOfChunk,
  chunksOfEntity: transpose(entitiesOfChunk, 7),
} as never
const nested = [
  { level: 0, parent: -1, members: [0, 1, 2] },
  { level: 0, parent: -1, members: [3] },
  { level: 0, parent: -1, members: [4] },
  { level: 0, parent: -1, members: [5, 6] },
  { level: 1, parent: 0, members: [1, 2] },
]
const communities = assembleCommunities(communityColumns(nested as never, 7), graph)

describe('reports without a model', () => {
  const write = () =>
    extractiveReports
      .make({})
      .write({ graph, communities, chunks: texts.map((text) => ({ text })) as never }, askNobody)

  test('quote the sentences of the most central entities, the first of equal ones', async () => {
    const said = (summary: string, explanation: string) => ({ summary, explanation })
    // Weights inside: Ann 2, Bob 3, Cy 1. Of "Ann ran." and "Ann sang." the first stands before.
    expect(await write()).toEqual({
      reports: [
        {
          community: 0,
          title: 'Bob, Ann, Cy',
          summary: 'Ann met Bob. Bob ran.',
          rank: 10,
          findings: [
            said('Bob', 'Ann met Bob.'),
            said('Bob', 'Bob ran.'),
            said('Ann', 'Ann ran.'),
            said('Ann', 'Ann sang.'),
            said('Cy', 'Cy slept.'),
          ],
        },
        { community: 1, title: 'Dan', summary: 'Dan is.', findings: [said('Dan', 'Dan is.')], rank: 0 },
        { community: 2, title: 'Eve', summary: 'Eve', findings: [], rank: 0 },
        {
          // 10 ln 2 / ln 4.
          community: 3,
          title: 'Fay, Gus',
          summary: 'Fay is. Gus is.',
          rank: 5,
          findings: [said('Fay', 'Fay is.'), said('Gus', 'Gus is.')],
        },
        {
          // Bob and Cy have 1 each: "Ann met Bob." stands before "Cy slept.", which stands before "Bob ran."
          community: 4,
          title: 'Bob, Cy',
          summary: 'Ann met Bob. Cy slept.',
          rank: 5,
          findings: [said('Bob', 'Ann met Bob.'), said('Cy', 'Cy slept.'), said('Bob', 'Bob ran.')],
        },
      ],
    })
  })
})

describe('reports of a model', () => {
  const described = {
    entities: {
      names,
      descriptions: names.map((name) => `${name}  of\nold `),
      degrees: Uint32Array.of(1, 2, 1, 0, 0, 1, 1),
    },
    relationships: { ...ends, descriptions: ['met', '', 'know'], combinedDegrees: Uint32Array.of(3, 4, 2) },
  } as never

  test('are one a community, rated 0 to 10; what cannot be read is none', async () => {
    const prompts: FilledPrompt[] = []
    const ratings = [12, -1, 7.5]
    const chat: Chat = {
      text: () => Promise.reject(new Error('it asks for JSON')),
      json: async (prompt) => {
        const place = prompts.push(prompt) - 1
        if (place > 2) throw new BadCompletion('no JSON')
        return { title: `T${place}`, summary: 's', findings: [], rating: ratings[place] } as never
      },
    }
    const params = { model: 'm', tokens: 400, prompt: undefined }
    const input = { graph: described, communities, chunks: [] }
    const { reports } = await llmReports.make(params as never).write(input, askEachOf(chat))
    expect(reports).toEqual(
      [10, 0, 7.5].map((rank, row) => ({
        community: row,
        title: `T${row}`,
        summary: 's',
        findings: [],
        rank,
      })),
    )
    expect(prompts.map(({ values }) => values.community.split('\n')[1])).toEqual([
      '- Bob: Bob of old',
      '- Dan: Dan of old',
      '- Eve: Eve of old',
      '- Fay: Fay of old',
      '- Bob: Bob of old',
    ])
  })
})
