import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMemo } from '../../../src/retrieve/evaluate.ts'
import { sourceQuery } from '../../../src/retrieve/step.ts'
import type { Inner } from '../../../src/retrieve/strategies/index.ts'
import type { Evidence, Ranking } from '../../../src/types.ts'
import { completion } from '../../cli/fake-model.ts'
import { documents } from '../../fixtures/passages.ts'
import { fakeServer } from '../../models/fake-server.ts'
import { sharedFolder, temporaryFolder } from '../../temporary.ts'
import { names, prepare, recipe, retrieved } from './prepared.ts'

let calls = 0
const folder = sharedFolder()

const inner: Inner = (name, query) => retrieved(name, {}, query, inner)

/** Said for a prompt that the model refuses. */
const REFUSED = { refused: true }

/** Asks a strategy a question; `say` completes each of its prompts, whose templates `params` may hold. */
async function ask(
  name: string,
  text: string,
  params: Record<string, unknown>,
  say: (prompt: string, n: number) => unknown,
) {
  const prompts: string[] = []
  const { baseUrl } = await fakeServer((n, { body }) => {
    const { content } = body.messages[0]
    if (body.messages.length === 1) prompts.push(content)
    const said = say(content, n)
    if (said === undefined) return { status: 400, json: { error: { message: 'no such model' } } }
    return completion(typeof said === 'string' ? said : JSON.stringify(said), {
      finish: said === REFUSED ? 'content_filter' : 'stop',
      model: body.model,
    })
  })
  const asking = {
    ...recipe,
    models: { tiny: { name: 'openai-compatible', params: { baseUrl, model: `tiny-${calls++}` } } },
  }
  const { template, rateTemplate, followUpTemplate, groupList, ...given } = params
  const written = Object.entries({
    prompt: template,
    ratePrompt: rateTemplate,
    followUpPrompt: followUpTemplate,
    groups: groupList && JSON.stringify(groupList),
  }).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const files = temporaryFolder(Object.fromEntries(written))
  const paths = Object.fromEntries(written.map(([param]) => [param, join(files, param)]))
  const whole = { model: 'tiny', seed: 0, ...given, ...paths }
  const { ranking, evidence } = retrieved(name, whole, sourceQuery(asking), inner)
  const roots = evidence ? [ranking, evidence] : [ranking]
  const memo = createMemo(await prepare(folder, roots), [{ id: 'q', text, metadata: {} }], () => 0)
  const cells = []
  for (const root of roots) {
    const [cell] = await memo.cells(root)
    if (cell?.failure) throw new Error(cell.failure.message)
    cells.push(cell?.value)
  }
  const { counters, notes, fallbacks, marks } = memo.facts(roots, 0)
  return {
    counters,
    notes,
    fallbacks,
    prompts,
    marks: Object.fromEntries([...marks].map(([row, words]) => [documents[row].id, words])),
    found: names(cells[0] as Ranking),
    evidence: (cells[1] ?? []) as readonly Evidence[],
  }
}

const TAUGHT = 'Who taught Dara Quill to sail?'
const textOf = (id: string) => {
  const { title, text } = documents.find((document) => document.id === id) as (typeof documents)[number]
  return `${title}\n${text}`
}
/** The chunk that a prompt `... {{passage}}` or `... {{passages}}` ends with. */
const lastOf = (prompt: string) => documents.filter(({ text }) => prompt.includes(text)).at(-1)?.id ?? 'none'

test('hipporag walks from the facts that the model names by number, each once', async () => {
  const template = 'Q {{query}}\n{{facts}}\nOf {{count}}'
  const { prompts, notes, fallbacks, found, counters } = await ask('hipporag', TAUGHT, { template }, () => ({
    facts: [2, 9, 1, 2, 0],
  }))
  expect(prompts).toEqual([
    `Q ${TAUGHT}
1. dara quill captained the heron
2. heron ship mentions dara quill
3. dara quill mentions heron ship
4. dara quill sailed her to mossreach
5. dara quill mentions almar voss
Of 5`,
  ])
  expect(notes).toEqual({ 'facts kept': 'heron ship mentions dara quill; dara quill captained the heron' })
  expect([fallbacks, counters.links, counters.fallbacks]).toEqual([[], 5, 0])
  expect(found.split(' ').slice(0, 2).sort()).toEqual(['dara', 'heron'])
})

test('lazy-graphrag ranks the chunks that the model finds relevant before the others', async () => {
  const params = { template: '{{query}}\n{{passage}}', budget: 3, perCommunity: 2 }
  const { prompts, counters, notes, found, fallbacks } = await ask(
    ...(['lazy-graphrag', TAUGHT, params] as const),
    (prompt) => (prompt.includes('Heron (ship)') ? { relevant: true } : 'no JSON'),
  )
  // Two chunks of the nearest community, and one of the next.
  expect(prompts.slice(0, 2).sort()).toEqual([
    `${TAUGHT}\n${textOf('dara')}`,
    `${TAUGHT}\n${textOf('heron')}`,
  ])
  expect(prompts).toHaveLength(3)
  // Both that are not read are asked for again.
  expect(counters).toMatchObject({ relevanceTests: 3, relevantChunks: 1, modelCalls: 5, fallbacks: 0 })
  expect([notes, fallbacks]).toEqual([{ 'tests that could not be read': '2' }, []])
  expect(found.split(' ').slice(0, 2)).toEqual(['heron', 'dara'])
  const none = await ask('lazy-graphrag', TAUGHT, params, () => ({ relevant: false }))
  expect([none.notes, none.fallbacks]).toEqual([{}, ['no chunk is relevant']])
})

test('drift asks the reports in parts, then each follow-up query in its context, round by round', async () => {
  const params = {
    template: 'P {{query}}\n{{reports}}',
    followUpTemplate: 'F {{query}} / {{question}}\n{{passages}}',
    reports: 3,
    folds: 2,
    followUps: 2,
    rounds: 2,
  }
  const { prompts, notes, counters, found } = await ask('drift', TAUGHT, params, (prompt) => {
    const queries = prompt.startsWith('P')
      ? [' Peat smoke ', TAUGHT, '']
      : ['Whale oil', 'Peat smoke', 'Tides']
    if (prompt.startsWith('F Whale')) return 'no JSON'
    return { answer: '', score: 1, follow_up_queries: queries }
  })
  const firsts = prompts.map((prompt) => prompt.split('\n')[0])
  expect(firsts.slice(0, 2)).toEqual([`P ${TAUGHT}`, `P ${TAUGHT}`])
  const reports = prompts.slice(0, 2).map((prompt) => prompt.split('<passage kind="report">').length - 1)
  expect(reports.sort()).toEqual([1, 2])
  // The last round's queries are searched for, not asked about.
  const passages = ['calder', 'salt'].map((id) => `<passage>\n${textOf(id)}\n</passage>`)
  expect(prompts.slice(2).map((prompt) => prompt.split('\n')[0])).toEqual([`F Peat smoke / ${TAUGHT}`])
  for (const passage of passages) expect(prompts[2]).toContain(passage)
  expect(notes).toMatchObject({ 'follow-ups from 1': 'Peat smoke', 'follow-ups from 2': 'Whale oil | Tides' })
  expect(counters).toMatchObject({ followUps: 3, modelCalls: 3 })
  expect(found.split(' ')).toEqual(expect.arrayContaining(['dara', 'calder', 'whale', 'tides']))
})

const RATE = 'R {{query}}\n{{report}}'
const MAP = 'M {{query}}\n{{reports}}'
const titleOf = (prompt: string) => /^# (.*)$/m.exec(prompt)?.[1] ?? ''

test('graphrag-global reads the reports that the model rates high enough, and keeps points with a report and a score', async () => {
  const params = { template: MAP, rateTemplate: RATE, variant: 'dynamic', rating: 2, batchTokens: 100_000 }
  const { prompts, evidence, notes, counters } = await ask('graphrag-global', TAUGHT, params, (prompt) => {
    if (prompt.startsWith('R')) {
      if (titleOf(prompt) === 'Knots, Tides') return 'no JSON'
      return { reason: '', rating: /Dara|Bell House, Gull/.test(titleOf(prompt)) ? 2 : 1.9 }
    }
    const point = (text: string, report: number, score: number) => ({ text, report, score })
    return {
      points: [
        point('low', 1, 0.5),
        point('none', 1, 0.4),
        point('elsewhere', 3, 90),
        point('zeroth', 0, 90),
        point('most', 2, 120),
        point('more', 1, 100),
        point('half', 2, 50),
      ],
    }
  })
  expect(prompts.filter((prompt) => prompt.startsWith('R'))).toHaveLength(5)
  const [map] = prompts.slice(5)
  const titles = [...map.matchAll(/<passage report="(\d)">\n# (.*)/g)].map(([, number, title]) => [
    number,
    title,
  ])
  expect(titles.map(([number]) => number)).toEqual(['1', '2'])
  expect(titles.map(([, title]) => title).sort()).toEqual([
    'Bell House, Gull Point, Oren Tal',
    'Dara Quill, Heron (ship), Mossreach',
  ])
  // Scores end at 100, and of equal ones the earlier comes first.
  expect(evidence.map(({ kind, text }) => [kind, text])).toEqual([
    ['report', 'most\nhalf'],
    ['report', 'more\nlow'],
  ])
  expect(notes).toEqual({ 'ratings that could not be read': '1' })
  expect(counters).toMatchObject({ modelCalls: 7, fallbacks: 0 })
})

test('multi-hop looks up what the judge misses, under headings first, until it can answer', async () => {
  const params = { template: 'J {{query}}\n{{passages}}', judge: 'model', hopChunks: 2, maxHops: 3 }
  const { prompts, notes, marks, counters, found } = await ask('multi-hop', TAUGHT, params, (prompt) => ({
    can_answer: false,
    reasoning: 'because',
    missing_query: lastOf(prompt) === 'heron' ? ' Peat, "Tides" ' : ' ',
  }))
  const passage = (id: string) => `<passage>\n${textOf(id)}\n</passage>`
  expect(prompts).toEqual(
    [
      ['dara', 'heron'],
      ['dara', 'heron', 'tides', 'peat'],
    ].map((ids) => `J ${TAUGHT}\n${ids.map(passage).join('\n')}`),
  )
  expect(notes).toEqual({
    'hop 1 can_answer': 'no',
    'hop 1 reasoning': 'because',
    'hop 1 missing_query': 'Peat, "Tides"',
    'hop 2 can_answer': 'yes',
    'hop 2 reasoning': 'because',
    'hop 2 missing_query': '',
  })
  expect(marks).toEqual({
    dara: 'hop 0',
    heron: 'hop 0',
    tides: 'hop 1, heading 0.99',
    peat: 'hop 1, heading 0.99',
  })
  expect(counters).toMatchObject({ modelCalls: 2, hops: 1, hopChunks: 2, byHeading: 2 })
  expect(found.split(' ').slice(0, 4)).toEqual(['dara', 'heron', 'tides', 'peat'])
})

test('multi-hop ranks headings by their likeness, then what a search finds for the other names, each chunk once', async () => {
  const params = { template: '{{query}}{{passages}}', judge: 'model', hopChunks: 2, maxHops: 1 }
  const missing_query = "'Tide', Peat, Dara Quill, lamps of paraffin"
  const say = () => ({ can_answer: false, reasoning: '', missing_query })
  const askWith = (more: object) => ask('multi-hop', TAUGHT, { ...params, ...more }, say)
  const first = await askWith({ hopChunks: 5 })
  // "tide" and "tides": 2 * 4 / 9, less 0.01. Dara Quill's chunk is there from hop 0.
  expect(first.marks).toMatchObject({
    dara: 'hop 0',
    heron: 'hop 0',
    peat: 'hop 1, heading 0.99',
    tides: 'hop 1, heading 0.88',
    whale: 'hop 1',
  })
  expect(first.notes['query after ask-unmatched']).toBe('lamps of paraffin')
  const chunks = first.found.split(' ')
  expect(chunks.slice(5, 8)).toEqual(['peat', 'tides', 'whale'])
  expect(new Set(chunks).size).toBe(chunks.length)
  const strict = await askWith({ hopChunks: 5, threshold: 0.9 })
  expect(strict.notes['query after ask-unmatched']).toBe('Tide, lamps of paraffin')
  expect(strict.marks.tides).not.toContain('heading')
  // Two chunks of a hop at most, those that are there already among them.
  const few = await askWith({})
  expect(few.marks).toEqual({ dara: 'hop 0', heron: 'hop 0', peat: 'hop 1, heading 0.99' })
})

test('multi-hop by chain of thought searches for each sentence until one says what the answer is', async () => {
  const params = { template: '{{query}}{{passages}}', judge: 'ircot', hopChunks: 2, maxHops: 3 }
  const { prompts, notes, marks } = await ask('multi-hop', TAUGHT, params, (prompt) =>
    lastOf(prompt) === 'heron' ? 'Peat smells.' : 'So THE answer is: Almar',
  )
  expect(prompts).toHaveLength(2)
  expect(notes).toEqual({
    'hop 1 can_answer': 'no',
    'hop 1 reasoning': 'Peat smells.',
    'hop 1 missing_query': 'Peat smells.',
    'hop 2 can_answer': 'yes',
    'hop 2 reasoning': 'So THE answer is: Almar',
    'hop 2 missing_query': 'So THE answer is: Almar',
    'query after ask-unmatched': 'Peat smells.',
  })
  expect(marks).toMatchObject({ dara: 'hop 0', heron: 'hop 0', peat: 'hop 1' })
})

test('rag-fusion searches for the distinct queries that the model makes of one, at most as many as asked', async () => {
  const params = { template: '{{query}} {{count}}', of: 'bm25', queries: 2 }
  const many = await ask('rag-fusion', 'herring barrels', params, () => ({
    queries: [' peat ', '', 'herring barrels', 'peat', 'wool market', 'tides'],
  }))
  expect(many.prompts).toEqual(['herring barrels 2'])
  expect(many.notes.queries).toBe('peat | wool market')
  const few = await ask('rag-fusion', 'herring barrels', params, () => ({ queries: [] }))
  expect([few.notes, few.found]).toEqual([{ queries: '' }, 'herring'])
})

test('traversal searches for the terms that the model adds, and for the words alone where it cannot read them', async () => {
  const template = '{{intent}} {{terms}}\n{{examples}}\n{{query}}'
  const examples = temporaryFolder({
    'e.yaml': '- {question: Who?, terms: [Ann, Bo, Cy]}\n- {question: Where?, terms: [Rome]}\n',
  })
  const params = { template, expander: 'words', terms: 2, examples: `${examples}/e.yaml`, alpha: 0 }
  const long = 'w'.repeat(201)
  const read = await ask('traversal', 'small brown sheep', params, () => ({
    terms: [' Peat ', '', 'Peat', long, 'Oil'],
  }))
  expect(read.prompts).toEqual([
    'general 2\nQuestion: Who?\n{"terms":["Ann","Bo"]}\n\nQuestion: Where?\n{"terms":["Rome"]}\nsmall brown sheep',
  ])
  expect(read.notes).toMatchObject({
    'terms of the model': `Peat, ${long.slice(1)}`,
    intent: 'general',
    terms: `Peat, ${long.slice(1)}, small brown sheep`,
  })
  expect(read.counters).toMatchObject({ expandedTerms: 3, termsWithHits: 2, unexpanded: 0, fallbacks: 0 })
  const unread = await ask('traversal', 'small brown sheep', params, () => 'no JSON')
  expect(unread.fallbacks).toEqual(['no terms of the model could be read'])
  expect(unread.notes['terms of the model']).toMatch(/^the model gave no JSON of the form asked for, twice/)
  expect(unread.counters).toMatchObject({ expandedTerms: 1, unexpanded: 1, modelCalls: 2 })
  const refused = await ask('traversal', 'small brown sheep', params, () => REFUSED)
  expect([refused.fallbacks, refused.found]).toEqual([unread.fallbacks, unread.found])
  expect(refused.notes).toMatchObject({
    'terms of the model': 'the model refused to answer',
    terms: 'small brown sheep',
  })
  expect(refused.found).not.toBe('')
})

test.each([
  ['What is peat?', 'definition'],
  ['How do I cut peat?', 'procedure'],
  ['Small brown sheep', 'general'],
])('traversal tells the model the kind of the question %j, with built-in examples', async (text, intent) => {
  const { prompts } = await ask('traversal', text, { alpha: 0, terms: 3 }, () => ({ terms: [] }))
  expect(prompts).toHaveLength(1)
  expect(prompts[0]).toContain(`The question is of this kind: ${intent}.`)
  expect(prompts[0]).toMatch(/^Name at most 3 search terms/)
  expect(prompts[0].match(/^Question: .+\n\{"terms":\[(".+?",?){3}\]\}$/gm)).toHaveLength(3)
  expect(prompts[0]).toMatch(new RegExp(`Question: ${text.replace('?', '\\?')}$`))
})

test.each([
  ['keywords, each once', [' Oren Tal', '', 'Oren Tal', 'lens'], ['optics '], 'Oren Tal, lens', 'optics'],
  ['one level alone', [], ['optics'], '', 'optics'],
  ['no keyword: the question itself', [' '], [], TAUGHT, ''],
])('lightrag searches for %s', async (_, low, high, things, themes) => {
  const { notes, prompts } = await ask('lightrag', TAUGHT, { template: 'K {{query}}' }, () => ({
    low_level_keywords: low,
    high_level_keywords: high,
  }))
  expect(prompts).toEqual([`K ${TAUGHT}`])
  expect(notes).toEqual({ 'low-level keywords': things, 'high-level keywords': themes })
})
