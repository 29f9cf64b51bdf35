import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  assembleCommunities,
  communityColumns,
  communityLevel,
} from '../../../src/corpus/graph/communities/assemble.ts'
import { incidenceOf, membersOf, transpose } from '../../../src/corpus/graph/csr.ts'
import { reportBlocks } from '../../../src/corpus/graph/reports/define.ts'
import { extractiveReports } from '../../../src/corpus/graph/reports/extractive.ts'
import { graphragReports } from '../../../src/corpus/graph/reports/graphrag.ts'
import { communityText, llmReports } from '../../../src/corpus/graph/reports/llm.ts'
import { BadCompletion } from '../../../src/models/chat/json.ts'
import type { Chat, FilledPrompt } from '../../../src/models/completions/chat.ts'
import { writeTable } from '../../../src/tables/parquet.ts'
import { countTokens } from '../../../src/text/tokens.ts'
import { temporaryFolder } from '../../temporary.ts'

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
const rowsOf = (incidence: Parameters<typeof membersOf>[0]) =>
  nested.map((_, row) => [...membersOf(incidence, row)])

describe('communities', () => {
  test('have the entities found, the relationships inside them, and the chunks of their entities', () => {
    const { entities, relationships, chunks, ids, ...rest } = communities
    expect(rest).toEqual({
      size: 5,
      levels: Uint32Array.of(0, 0, 0, 0, 1),
      parents: Int32Array.of(-1, -1, -1, -1, 0),
      children: [[4], [], [], [], []],
      depth: 2,
      notices: {},
      titles: [0, 1, 2, 3, 4].map((row) => `Community ${row}`),
    })
    expect(rowsOf(entities)).toEqual(nested.map(({ members }) => members))
    expect(rowsOf(relationships)).toEqual([[0, 1], [], [], [2], [1]])
    expect(rowsOf(chunks)).toEqual([[0, 1, 2], [1], [], [], [0, 2]])
    const hash = createHash('sha256').update('community\x001\0bob\0cy').digest('hex')
    expect(ids[4]).toBe(hash.slice(0, 32))
    expect(new Set(ids).size).toBe(5)
  })

  test('none have no levels', () => {
    expect(assembleCommunities(communityColumns([], 7), graph)).toMatchObject({ size: 0, depth: 0 })
  })

  test.each([
    [0, undefined, 0],
    [1, undefined, 0],
    [3, undefined, 2],
    [9, undefined, 2],
    [9, 8, 8],
    [1, 0, 0],
  ])('of %s levels, %s asked: %s is read', (depth, asked, level) => {
    expect(communityLevel({ depth } as never, asked)).toBe(level)
  })

  test('a level that is not there is refused', () => {
    const message = 'communityLevel 2 does not exist: the deepest level of communities is 1, 0 the coarsest'
    expect(() => communityLevel({ depth: 2 } as never, 2)).toThrow(message)
  })
})

describe('reports without a model', () => {
  const write = () =>
    extractiveReports.write?.({ graph, communities, chunks: texts.map((text) => ({ text })) as never }, {})

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

  test('rank nothing where nothing is related', async () => {
    const alone = assembleCommunities(
      communityColumns([{ level: 0, parent: -1, members: [3] }] as never, 7),
      graph,
    )
    const written = await extractiveReports.write?.({ graph, communities: alone, chunks: [] }, {})
    expect(written?.reports.map(({ rank }) => rank)).toEqual([0])
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
  test('are of the entities of most relationships first, each description in one line', () => {
    expect(communityText(described, communities, 0, 400).split('\n')).toEqual([
      'Entities:',
      '- Bob: Bob of old',
      '- Ann: Ann of old',
      '- Cy: Cy of old',
      '',
      'Relationships:',
      '- Bob -> Cy',
      '- Ann -> Bob: met',
    ])
    expect(communityText(described, communities, 1, 400)).toBe('Entities:\n- Dan: Dan of old')
  })

  test('give relationships the tokens that entities leave, half of them at least', () => {
    const bob = countTokens('- Bob: Bob of old\n')
    const lines = (tokens: number) => communityText(described, communities, 0, tokens).split('\n')
    // Half of the tokens hold Bob alone.
    expect(lines(2 * bob).slice(1, 3)).toEqual(['- Bob: Bob of old', ''])
    expect(lines(2 * bob - 2).slice(1, 3)).toEqual(['- Bob: Bob of old', ''])
    expect(lines(1)).toEqual(['Entities:', '- Bob: Bob of old'])
    // Without relationships all are for entities.
    const two = { ...communities, relationships: incidenceOf([[], [], [], [], []], 3) }
    const all = countTokens('- Bob: Bob of old\n') + countTokens('- Ann: Ann of old\n')
    expect(communityText(described, two, 0, all).split('\n')).toHaveLength(3)
    expect(communityText(described, two, 0, all - 1).split('\n')).toHaveLength(2)
  })

  test('are one a community, rated 0 to 10; what cannot be read is none', async () => {
    const asked: FilledPrompt[] = []
    const ratings = [12, -1, 7.5]
    const chat: Chat = {
      text: () => Promise.reject(new Error('it asks for JSON')),
      json: async (prompt) => {
        const place = asked.push(prompt) - 1
        if (place > 2) throw new BadCompletion('no JSON')
        return { title: `T${place}`, summary: 's', findings: [], rating: ratings[place] } as never
      },
    }
    const params = { model: 'm', tokens: 400, prompt: undefined }
    const found = await llmReports.ask?.(chat, { graph: described, communities }, params as never)
    expect(found).toEqual(
      [10, 0, 7.5].map((rank, row) => ({
        community: row,
        title: `T${row}`,
        summary: 's',
        findings: [],
        rank,
      })),
    )
    expect(asked.map(({ values }) => values.community.split('\n')[1])).toEqual([
      '- Bob: Bob of old',
      '- Dan: Dan of old',
      '- Eve: Eve of old',
      '- Fay: Fay of old',
      '- Bob: Bob of old',
    ])
  })
})

test('a report is a heading, its summary, and a heading and text for each finding', () => {
  const findings = [{ summary: 'F', explanation: 'e' }]
  expect(reportBlocks({ community: 0, title: 'T', summary: 's', findings, rank: 1 })).toEqual([
    '# T',
    's',
    '## F',
    'e',
  ])
})

describe("GraphRAG's reports", () => {
  const read = (columns: Record<string, readonly unknown[]>) => {
    const folder = temporaryFolder()
    writeTable(
      join(folder, 'community_reports.parquet'),
      Object.entries(columns).map(([name, values]) => ({
        name,
        type: name === 'community' ? 'integer' : name === 'rank' ? 'number' : 'string',
        values: values as never,
      })),
    )
    return graphragReports.check?.({ path: folder }) as Promise<{ reports: unknown[] }>
  }
  test('have findings as records or texts, and defaults for what is missing', async () => {
    const { reports } = await read({
      community: [3, 4],
      title: ['T', ''],
      full_content: ['whole', 'more'],
      rank: [7.5, Number.NaN],
      findings: ['[{"summary": "S", "explanation": "E"}, {}, "text", null]', '[]'],
    })
    const said = (summary: string, explanation = '') => ({ summary, explanation })
    expect(reports).toEqual([
      {
        number: 3,
        title: 'T',
        summary: 'whole',
        rank: 7.5,
        findings: [said('S', 'E'), said(''), said('text'), said('')],
      },
      { number: 4, title: 'Community 4', summary: 'more', findings: [], rank: 0 },
    ])
    const { reports: short } = await read({
      community: [1],
      title: ['T'],
      summary: ['s'],
      full_content: ['x'],
    })
    expect(short).toEqual([{ number: 1, title: 'T', summary: 's', findings: [], rank: 0 }])
  })

  test('need texts, and lists of findings', async () => {
    await expect(read({ community: [1], title: ['T'] })).rejects.toThrow('summary')
    await expect(
      read({ community: [1, 2], title: ['T', 'U'], summary: ['s', 't'], findings: ['[]', '{"a": 1}'] }),
    ).rejects.toThrow('column "findings", row 2: not a list')
  })
})
