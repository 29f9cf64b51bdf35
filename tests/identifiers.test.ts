import { expect, test } from 'vitest'
import { IDENTIFIERS, identifiersPage } from '../scripts/reference/identifiers.ts'
import { seedRow } from '../scripts/reference/seeds.ts'

const page = identifiersPage()

test('the index leads from each identifier of the described systems to a key, command or column', () => {
  for (const line of [
    '| `documents_retrieved` | `documents_retrieved` in retrieval_metrics.jsonl (`--log`) | 004.40 |',
    '| `top_k_initial` | `rerank: {top: 20}`, the default | 004.22 |',
    '| `--max-chunks` | `ask --depth 10`, default 5 | 002.65 |',
  ])
    expect(page).toContain(`${line}\n`)
  for (const id of Object.values(IDENTIFIERS)) expect(seedRow(id).key).not.toBe('')
})

test('an identifier without a row is an error', () => {
  expect(() => identifiersPage({ x: '009.1' })).toThrow('has no row 009.1')
})
