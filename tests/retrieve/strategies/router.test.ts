import { expect, it } from 'vitest'
import { find } from '../../../src/registry.ts'
import { createMemo } from '../../../src/retrieve/evaluate.ts'
import { strategies } from '../../../src/retrieve/strategies/index.ts'
import { questions } from '../../fixtures/passages.ts'
import { temporaryFolder } from '../../temporary.ts'
import { compile, evaluate, prepare, trial } from './prepared.ts'

const rules = (text: string) => `${temporaryFolder({ 'rules.yaml': text })}/rules.yaml`

it('answers as its arms do, computes only the chosen one, and records who was chosen', async () => {
  const path = rules('rules:\n  - any: [who]\n    arm: names\notherwise: naive\n')
  const trials = [
    trial('words', 'bm25', { k1: 1.5 }),
    trial('route', 'router', { rules: path, arms: { names: 'words' } }),
    trial('dense', 'naive'),
  ]
  const [words, router, dense] = compile(...trials)
  const store = await prepare(temporaryFolder(), [words.ranking, router.ranking, dense.ranking])
  const [byWords, byRouter, byDense] = await Promise.all(
    [words, router, dense].map(({ ranking }) => evaluate(store, ranking, questions)),
  )
  const memo = createMemo(store, questions, () => 0)
  await memo.cells(router.ranking)
  questions.forEach(({ text }, place) => {
    const arm = /who/i.test(text) ? 'names' : 'naive'
    expect(byRouter[place]).toEqual((arm === 'names' ? byWords : byDense)[place])
    expect(memo.facts([router.ranking], place)).toMatchObject({ counters: {}, arm, fallbacks: [] })
  })
  const count = questions.filter(({ text }) => /who/i.test(text)).length
  expect(memo.computed.get('bm25')).toBe(count)
  expect(memo.computed.get('dense')).toBe(questions.length - count)
})

it('sends questions about entities to hipporag in place of graphrag-local, by `arms` or by a rule', async () => {
  const path = rules('rules:\n  - capitalised: 2\n    arm: hipporag\notherwise: bm25\n')
  const [walk, local, arms, rule] = compile(
    trial('walk', 'hipporag'),
    trial('local', 'graphrag-local'),
    trial('arms', 'router', { rules: 'seed-003', arms: { 'graphrag-local': 'walk' } }),
    trial('rule', 'router', { rules: path }),
  )
  const rankings = [walk, local, arms, rule].map(({ ranking }) => ranking)
  const store = await prepare(temporaryFolder(), rankings)
  const queries = [{ id: 'q', text: 'Who taught Dara Quill to sail?', metadata: {} }]
  const [[walked], [near], [byArms], [byRule]] = await Promise.all(
    rankings.map((ranking) => evaluate(store, ranking, queries)),
  )
  expect([byArms, byRule]).toEqual([walked, walked])
  expect(walked).not.toEqual(near)
})

it('routes by the names that are found, by rules or by another program', async () => {
  const path = rules('rules:\n  - found: 1\n    arm: bm25\notherwise: naive\n')
  const file = `${temporaryFolder({ 'n.jsonl': questions.map(({ text }) => `${JSON.stringify({ text, names: [] })}\n`).join('') })}/n.jsonl`
  const [byRules, byFile] = compile(
    trial('a', 'router', { rules: path }),
    trial('b', 'router', { rules: path, names: file }),
  )
  const store = await prepare(temporaryFolder(), [byRules.ranking, byFile.ranking])
  const armsOf = async ({ ranking }: typeof byRules) => {
    const memo = createMemo(store, questions, () => 0)
    await memo.cells(ranking)
    return questions.map((_, place) => memo.facts([ranking], place))
  }
  const facts = await armsOf(byRules)
  expect(new Set(facts.map(({ arm }) => arm))).toContain('bm25')
  for (const { arm, notes } of facts) expect(arm).toBe(notes.names === 'none' ? 'naive' : 'bm25')
  expect(new Set((await armsOf(byFile)).map(({ arm }) => arm))).toEqual(new Set(['naive']))
  expect(() => compile(trial('a', 'router', { names: file }))).toThrow(
    'no rule asks for names that are `found`',
  )
})

it('rules and names of files are part of the key by their content', () => {
  const folder = temporaryFolder({
    'rules.yaml': 'otherwise: naive\n',
    'names.jsonl': `${JSON.stringify({ text: 'Who?', names: [] })}\n`,
  })
  const router = find(strategies, 'router')
  const hashes = (params: object) => router.files?.(router.params.parse(params) as never)
  const sha256 = expect.stringMatching(/^[0-9a-f]{64}$/)
  expect(hashes({})).toEqual({})
  expect(hashes({ rules: `${folder}/rules.yaml` })).toEqual({ rules: sha256 })
  expect(hashes({ names: `${folder}/names.jsonl` })).toEqual({ names: sha256 })
})
