import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readTable } from '../../src/tables/parquet.ts'
import { callsIn } from '../cli/calls.ts'
import { fakeModel, modelAt, replayOf } from '../cli/fake-model.ts'
import { writeTowns } from '../experiment/experiments.ts'
import { temporaryFolder } from '../temporary.ts'

/** A server that says to each prompt what `say` does; `say` gets the question too. */
async function setUp(trials: string, say: (content: string, question: string) => string, more = '') {
  const server = await fakeModel((prompt) =>
    say(prompt, [...prompt.matchAll(/^Question: (.*)$/gm)].at(-1)?.[1] ?? ''),
  )
  const folder = temporaryFolder({
    'a.yaml': `dataset: towns
prepare: {embedder: lsa, graph: [rules, titles]${more && `, ${more}`}}
models: {tiny: ${modelAt(server.baseUrl, 'model: tiny, price: {input: 1, output: 10}')}}
trials: ${trials}
measures: [recall@5]
compare: {draws: 200}
`,
  })
  writeTowns(join(folder, 'towns'), { towns: 12 })
  const calls = callsIn(folder, {})
  const trialsOf = (out: string) =>
    JSON.parse(readFileSync(join(folder, out, 'summary.json'), 'utf8')).trials as {
      name: string
      failed: number
      failures: { message: string }[]
      fallbacks: { when: string }[]
      perQuery: Record<string, number>
      measures: Record<string, { mean: number }>
    }[]
  const recallOf = (out: string) => trialsOf(out).map(({ measures }) => measures['recall@5'].mean)
  /** Runs, then runs again from the recording: the same bytes, and nothing more is asked. */
  async function runAndReplay() {
    expect(await calls.run('a')).toMatchObject({ code: 0 })
    const before = server.asked.length
    expect(await calls.run('b', ...replayOf('a'), '--shard-size', '3')).toMatchObject({ code: 0 })
    expect(server.asked).toHaveLength(before)
    expect(calls.resultOf('b')).toBe(calls.resultOf('a'))
  }
  return { ...server, ...calls, trialsOf, recallOf, runAndReplay }
}

test('rewrite: what the model wrote is searched for, by words too', async () => {
  const { runAndReplay, recallOf, call } = await setUp(
    '[bm25, {bm25: {}, before: [{rewrite: {model: tiny}}]}, {name: same, bm25: {}, before: [{rewrite: {model: tiny, prompt: same.md}}]}]',
    (content, question) => (content.startsWith('Repeat') ? question : 'zzz'),
  ).then(async (set) => {
    writeFileSync(join(set.folder, 'same.md'), 'Repeat it.\nQuestion: {{query}}\n')
    return set
  })
  await runAndReplay()
  const [plain, rewritten, same] = recallOf('a')
  expect(plain).toBeGreaterThan(0.5)
  expect(rewritten).toBe(0)
  expect(same).toBe(plain)
  const asked = await call('ask', 'a.yaml', 'Where is honey made?', '-t', 'same')
  expect(asked.code).toBe(0)
})

test('rag-fusion: each query is searched for once, and the rankings are fused', async () => {
  const { runAndReplay, recallOf, trialsOf, asked, folder } = await setUp(
    `[bm25,
      {name: none, rag-fusion: {of: bm25, model: tiny, queries: 2}},
      {name: parts, rag-fusion: {of: bm25, by: parts, model: tiny, queries: 2}}]`,
    (content, question) =>
      content.startsWith('Break') ? JSON.stringify({ queries: ['zzz', 'zzz', question] }) : '{"queries": []}',
  )
  await runAndReplay()
  const [plain, none, parts] = recallOf('a')
  // No other query keeps the ranking; one that finds nothing takes nothing away.
  expect([none, parts]).toEqual([plain, plain])
  expect(trialsOf('a')[1].perQuery).toMatchObject({ modelCalls: 1, inputTokens: 100 })
  expect(asked).toHaveLength(2 * 13)
  // 100 tokens at $1 and 10 at $10 a million, by query.
  const table = await readTable(join(folder, 'a/diagnostics.parquet'), ['trial', 'name', 'value'])
  const names = table.strings('name')
  const costs = [...names.keys()].filter((row) => names[row] === 'cost_usd')
  expect(costs.map((row) => table.numbers('trial')[row])).toEqual([
    ...Array(13).fill(1),
    ...Array(13).fill(2),
  ])
  for (const row of costs) expect(table.numbers('value')[row]).toBeCloseTo(0.0002, 12)
  const values = (name: string) =>
    [...names.keys()].flatMap((row) => (names[row] === name ? [table.numbers('value')[row]] : []))
  expect(values('modelCalls')).toEqual(Array(26).fill(1))
  expect([values('inputTokens'), values('outputTokens')]).toEqual([Array(26).fill(100), Array(26).fill(10)])
})

test('hipporag with all the facts that are linked is hipporag', async () => {
  const { runAndReplay, trialsOf, recallOf } = await setUp(
    '[{hipporag: {}}, {hipporag: {model: tiny}}]',
    (content) => {
      const numbers = [...content.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number))
      return JSON.stringify({ facts: [...numbers, 99, 0] })
    },
  )
  await runAndReplay()
  const [plain, all] = recallOf('a')
  expect(all).toBe(plain)
  // A question that is linked to no fact is not asked about.
  expect(trialsOf('a')[1].perQuery.modelCalls).toBeCloseTo(12 / 13, 12)
})

test('hipporag without a fact that helps is the dense ranking, counted', async () => {
  const { run, trialsOf, recallOf } = await setUp('[{hipporag: {model: tiny}}, naive]', () => '{"facts": []}')
  expect(await run('a')).toMatchObject({ code: 0 })
  const [walked, dense] = recallOf('a')
  expect(walked).toBe(dense)
  const [{ fallbacks }] = trialsOf('a')
  expect(fallbacks.map(({ when }) => when)).toContain('the model kept none of the facts')
})

test('multi-hop judged by a model, and by its chain of thought', async () => {
  const { runAndReplay, trialsOf, asked } = await setUp(
    `[{name: judged, multi-hop: {judge: model, model: tiny, maxHops: 2}},
      {name: chain, multi-hop: {judge: ircot, model: tiny, maxHops: 2}}]`,
    (content) => {
      const passages = content.match(/<passage>/g)?.length ?? 0
      if (content.startsWith('Read'))
        return passages > 5 ? 'So the answer is honey.' : 'Its road leads to TownB1.'
      return JSON.stringify({ can_answer: passages > 5, reasoning: 'r', missing_query: 'TownB1' })
    },
  )
  await runAndReplay()
  const [judged, chain] = trialsOf('a')
  expect(judged.perQuery.hops).toBeGreaterThan(0)
  expect(chain.perQuery.hops).toBeGreaterThan(0)
  expect(judged.perQuery.hops).toBeLessThanOrEqual(2)
  expect(asked.some(({ body }) => body.messages[0].content.includes('Next sentence:'))).toBe(true)
})

test('a judge is told the groups that the question names, or the whole list', async () => {
  const { runAndReplay, trialsOf, asked } = await setUp(
    `[{name: named, multi-hop: {judge: model, model: tiny, groups: groups.yaml}},
      {name: all, multi-hop: {judge: model, model: tiny, groups: groups.yaml, filterGroups: false}}]`,
    () => JSON.stringify({ can_answer: true, reasoning: 'r', missing_query: '' }),
  ).then((set) => {
    const groups = Array.from(
      { length: 20 },
      (_, i) => `Guild ${i}: {members: [Town${String.fromCharCode(65 + i)}${i}], abilities: [walls]}`,
    )
    writeFileSync(join(set.folder, 'groups.yaml'), `${groups.join('\n')}\n`)
    return set
  })
  await runAndReplay()
  const [named, all] = trialsOf('a')
  expect(all.perQuery.groupTokens).toBe(all.perQuery.groupTokensOfAll)
  expect(named.perQuery.groupTokens).toBeLessThan(named.perQuery.groupTokensOfAll / 2)
  expect(named.perQuery.groupTokensOfAll).toBe(all.perQuery.groupTokens)
  const told = asked.map(({ body }) => body.messages[0].content.match(/<groups>\n(.*?)\n<\/groups>/s)?.[1])
  expect(told.some((text) => text?.split('\n').length === 1)).toBe(true)
  expect(told.some((text) => text?.split('\n').length === 20)).toBe(true)
})

test('JSON that is none is asked for once more, then its query fails and no other', async () => {
  let bad: string | undefined
  const { run, trialsOf, asked } = await setUp('[{lightrag: {model: tiny}}]', (_, question) => {
    bad ??= question
    if (question === bad) return 'Sure! Here are your keywords.'
    return '{"high_level_keywords": ["roads"], "low_level_keywords": []}'
  })
  const { code, err } = await run('a')
  expect(code).toBe(0)
  expect(trialsOf('a')[0].failed).toBe(1)
  expect(err).toContain('the model gave no JSON of the form asked for, twice')
  const repaired = asked.filter(({ body }) => body.messages.length === 3)
  expect(repaired).toHaveLength(1)
  expect(repaired[0].body.messages[2].content).toContain('not the JSON asked for')
})

test('traversal by terms of a model, with examples; what cannot be read leaves the words, counted', async () => {
  const { runAndReplay, trialsOf, recallOf, asked, folder } = await setUp(
    `[{name: words, traversal: {expander: words, alpha: 0}},
      {name: none, traversal: {expander: words, alpha: 0, model: tiny}},
      {name: model, traversal: {expander: words, alpha: 0, model: tiny, examples: mine.yaml, prompt: own.md}}]`,
    (content, question) => {
      if (!content.startsWith('Own')) return 'no JSON at all'
      expect(content).toContain('Question: What?\n{"terms":["this","that"]}')
      expect(content).toMatch(/\((definition|procedure|lookup|interaction|comparison|general)\)/)
      return JSON.stringify({ terms: ['zzz', question.split(' ').at(-1), ' zzz '] })
    },
  ).then((set) => {
    writeFileSync(join(set.folder, 'mine.yaml'), '- question: What?\n  terms: [this, that]\n')
    writeFileSync(join(set.folder, 'own.md'), 'Own ({{intent}})\n{{examples}}\nQuestion: {{query}}\n')
    return set
  })
  await runAndReplay()
  const [words, none, model] = trialsOf('a')
  expect(recallOf('a').slice(0, 2)).toEqual([
    words.measures['recall@5'].mean,
    words.measures['recall@5'].mean,
  ])
  // Asked once, and once more for JSON.
  expect(none.perQuery).toMatchObject({ modelCalls: 2, unexpanded: 1 })
  expect(none.failed).toBe(0)
  expect(none.fallbacks.map(({ when }) => when)).toEqual(['no terms of the model could be read'])
  expect(model.perQuery).toMatchObject({ modelCalls: 1, unexpanded: 0 })
  expect(model.perQuery.expandedTerms).toBeGreaterThan(words.perQuery.expandedTerms)
  expect(asked).toHaveLength(3 * 13)
  expect(readFileSync(join(folder, 'a.html'), 'utf8')).toContain('no terms of the model could be read')
})

test('graphrag-global by a model: ratings choose reports, points rank them, and the answer gets the points', async () => {
  const { runAndReplay, trialsOf, asked } = await setUp(
    `[{name: rule, graphrag-global: {variant: dynamic}},
      {name: rated, graphrag-global: {variant: dynamic, model: tiny, ratePrompt: rate.md}},
      {name: none, graphrag-global: {variant: dynamic, model: tiny, rating: 5}},
      {name: mapped, graphrag-global: {variant: graphrag, model: tiny}},
      {name: whole, graphrag-global: {variant: dynamic, cite: reports}},
      {name: unread, graphrag-global: {variant: dynamic, model: tiny, prompt: odd.md, ratePrompt: odd-rate.md}}]`,
    (content) => {
      if (content.startsWith('Odd')) return 'no JSON'
      if (content.startsWith('Rate')) return '{"reason": "", "rating": 3}'
      if (content.startsWith('How much')) return '{"reason": "", "rating": 1}'
      return JSON.stringify({
        points: [
          { text: 'a point', report: 1, score: 40 },
          { text: 'of no report', report: 99, score: 90 },
          { text: 'worth nothing', report: 1, score: 0 },
        ],
      })
    },
    'communities: leiden, reports: extractive',
  ).then((set) => {
    writeFileSync(join(set.folder, 'rate.md'), 'Rate {{report}} for {{query}}.\n')
    writeFileSync(join(set.folder, 'odd.md'), 'Odd {{reports}} for {{query}}.\n')
    writeFileSync(join(set.folder, 'odd-rate.md'), 'Odd {{report}} for {{query}}.\n')
    return set
  })
  await runAndReplay()
  const [rule, rated, none, mapped, whole, unread] = trialsOf('a')
  // Whole reports are more than the points in them.
  expect(whole.perQuery.evidenceTokens).toBeGreaterThan(rule.perQuery.evidenceTokens)
  // What cannot be read is no reason to lose the query.
  expect(unread.failed).toBe(0)
  expect(unread.fallbacks.map(({ when }) => when)).toEqual(['no report is relevant'])
  expect(rule.perQuery.modelCalls).toBeGreaterThan(0)
  expect(rated.failed).toBe(0)
  // Each report on the way down, and each batch of those that were kept.
  const maps = asked.filter(({ body }) => body.messages[0].content.startsWith('Below are numbered reports'))
  expect(rated.perQuery.modelCalls).toBeGreaterThan(1)
  expect(none.fallbacks.map(({ when }) => when)).toEqual(['no report is relevant'])
  expect(mapped.perQuery).toMatchObject({ modelCalls: 1, inputTokens: 100 })
  expect(maps.every(({ body }) => body.messages[0].content.includes('<passage report="1">'))).toBe(true)
})

test('lazy-graphrag: a model tests each chunk, and one unreadable completion is no relevant chunk', async () => {
  const { runAndReplay, trialsOf } = await setUp(
    '[naive, {lazy-graphrag: {model: tiny, budget: 4, perCommunity: 2}}]',
    (content) => {
      expect(content).toContain('Question: ')
      return content.includes('honey') ? '{"relevant": true}' : 'perhaps'
    },
    'communities: leiden',
  )
  await runAndReplay()
  const [, { perQuery, failed }] = trialsOf('a')
  expect(failed).toBe(0)
  expect(perQuery.relevanceTests).toBeGreaterThan(0)
  expect(perQuery.relevanceTests).toBeLessThanOrEqual(4)
  expect(perQuery.relevantChunks).toBeGreaterThan(0)
  expect(perQuery.relevantChunks).toBeLessThan(perQuery.relevanceTests)
})

test('drift: follow-up queries of reports and of answers are searched for, round by round', async () => {
  const { runAndReplay, trialsOf, asked, folder } = await setUp(
    '[naive, {drift: {model: tiny, reports: 2, folds: 1, followUps: 2, rounds: 2}}]',
    (content, question) => {
      const isPrimer = content.startsWith('Below are reports')
      const raised = ['Where is amber honey made?', 'What is baked in TownB1?', 'And why?']
      const queries = isPrimer ? raised.slice(0, question.includes('TownA0') ? 1 : 3) : ['And why?', 'Who?']
      return JSON.stringify({ answer: 'Somewhere.', score: 40, follow_up_queries: queries })
    },
    'communities: leiden, reports: extractive',
  )
  await runAndReplay()
  const [, { perQuery, failed, name }] = trialsOf('a')
  expect([name, failed]).toEqual(['drift', 0])
  const diagnostics = await readTable(join(folder, 'a/diagnostics.parquet'), ['name'])
  expect(diagnostics.strings('name')).not.toContain('follow-ups that could not be read')
  // The first round takes two of the three; the second the third, and "Who?", once each. One question of 13 links no entity.
  // For TownA0 the first round has one query, and the second "And why?" and "Who?".
  expect(perQuery.followUps).toBeCloseTo((4 * 11 + 3) / 13)
  // A call for the primer, and one for each query of the first round.
  expect(perQuery.modelCalls).toBeCloseTo((3 * 11 + 2) / 13)
  expect(asked.length).toBeLessThanOrEqual(3 * 13)
})
