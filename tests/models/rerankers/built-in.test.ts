import { expect, test } from 'vitest'
import type { Reranker } from '../../../src/models/reranker.ts'
import { rerankers } from '../../../src/models/rerankers/index.ts'
import { find } from '../../../src/registry.ts'
import { defineArtifact } from '../../../src/store/artifact.ts'

const query = { id: 'q', text: 'salt', metadata: {} }
/** An artifact of a value that comes later. */
const of = (value: unknown) =>
  defineArtifact({ name: 'input', version: 1, params: null, inputs: {}, open: async () => value })

async function scores(kind: string, params: object, corpus: object): Promise<number[]> {
  const artifact = find(rerankers, kind).artifact?.(params as never, corpus as never)
  const lazy = Object.fromEntries(
    Object.entries(artifact?.inputs ?? {}).map(([name, input]) => [name, async () => input.open('', {})]),
  )
  const reranker = (await artifact?.open('', lazy as never)) as Reranker
  return Array.from(await reranker.score(query, Uint32Array.of(4, 0, 7)))
}

test('embedding gives the cosines of the vector of the query', async () => {
  const vectors = {
    embedder: of({ embed: async ([text]: string[]) => Float32Array.of(text === 'salt' ? 2 : 0) }),
    chunks: of({ cosines: (rows: Uint32Array, [x]: Float32Array) => Array.from(rows, (row) => row * x) }),
  }
  const choices: unknown[] = []
  const corpus = {
    vectors(choice: unknown) {
      choices.push(choice)
      return vectors
    },
  }
  expect(await scores('embedding', { embedder: 'mine' }, corpus)).toEqual([8, 0, 14])
  expect(choices).toEqual(['mine'])
})

test.each([
  ['cohere', 'https://api.cohere.com', 'CO_API_KEY', 1000],
  ['jina', 'https://api.jina.ai/v1', 'JINA_API_KEY', 1000],
  ['tei', undefined, undefined, 32],
])('%s is asked at its own address with its own key', (kind, baseUrl, apiKeyEnv, passages) => {
  const { params, wire } = find(rerankers, kind)
  const given = baseUrl === undefined ? { model: 'm', baseUrl: 'http://localhost:1' } : { model: 'm' }
  expect(params.parse(given)).toEqual({
    model: 'm',
    baseUrl: baseUrl ?? 'http://localhost:1',
    timeout: 120,
    concurrency: 4,
    ...(apiKeyEnv !== undefined && { apiKeyEnv }),
  })
  expect(wire?.passages).toBe(passages)
})
