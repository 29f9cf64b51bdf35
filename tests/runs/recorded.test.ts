import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isOfTexts, readRecorded } from '../../src/runs/recorded.ts'
import { temporaryFolder } from '../temporary.ts'

const written = (...lines: (string | object)[]) =>
  join(
    temporaryFolder({
      f: lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
    }),
    'f',
  )
const read = (needs: 'answer' | 'contexts', ...lines: (string | object)[]) => [
  ...readRecorded(written(...lines), needs).values(),
]
function errors(needs: 'answer' | 'contexts', ...lines: (string | object)[]): string[] {
  const path = written(...lines)
  try {
    readRecorded(path, needs)
  } catch (error) {
    return (error as Error).message.split('\n').map((line) => line.replace(path, ''))
  }
  return expect.fail('was read')
}

test.each([
  ['our names', { query: ' Who? ', answer: 'Orr', contexts: ['a', { text: 'b', id: 1 }] }],
  ['names of ragas 0.1', { question: 'Who?', answer: 'Orr', contexts: ['a', 'b'] }],
  ['names of ragas 0.2', { user_input: 'Who?', response: 'Orr', retrieved_contexts: ['a', 'b'] }],
  ['names of GraphRAG-Bench', { question: 'Who?', generated_answer: 'Orr', context: ['a', 'b'] }],
  ['several names with one value', { query: 'Who?', question: ' Who?', answer: 'Orr', contexts: ['a', 'b'] }],
  [
    'nulls and other fields',
    { query: 'Who?', answer: 'Orr', contexts: ['a', 'b'], cost: null, id: 7, usage: null },
  ],
])('a record is read by %s', (_, record) => {
  const { query, answer, contexts, ...others } = read('answer', record)[0]
  expect([query, answer, contexts, Object.values(others).filter((one) => one !== undefined)]).toEqual([
    'Who?',
    'Orr',
    ['a', 'b'],
    [],
  ])
})

test('costs are read, and a text or nothing for the contexts', () => {
  const costs = { tokens: { input: 7 }, calls: 0, cost: 0.5, latency: 0, model: 'm' }
  expect(
    read('answer', { query: 'a', answer: '', ...costs, contexts: 'c' }, '', {
      query: 'b',
      answer: 'x',
      contexts: '',
    }),
  ).toEqual([
    { query: 'a', answer: '', ...costs, tokens: { input: 7, output: 0 }, contexts: ['c'] },
    { query: 'b', answer: 'x', contexts: [] },
  ])
  expect(read('answer', { query: 'a', answer: 'x', tokens: {} })).toMatchObject([
    { contexts: [], tokens: { input: 0, output: 0 } },
  ])
  expect(
    read('contexts', '[', { query: 'a', contexts: [] }, ',', { query: 'b', contexts: ['c'] }, ']'),
  ).toHaveLength(2)
})

const record = { query: 'q', answer: 'a', contexts: [] }
const FORM = 'a record is {"query": "...", "answer": "...", "contexts": ["..."]}'
const form = 'a record is {"query": "...", "contexts": ["..."]}'

test.each<['answer' | 'contexts', string | object, string]>([
  ['answer', '7', 'is not {"query": "...", "answer": "...", "contexts": ["..."]}'],
  ['contexts', 'null', 'is not {"query": "...", "contexts": ["..."]}'],
  ['answer', {}, `has no field and lacks \`query\` and \`answer\`; ${FORM}`],
  ['answer', { query: 'q', id: 1, n: null }, `has \`query\`, \`id\` and lacks \`answer\`; ${FORM}`],
  ['contexts', { answer: 'a', contexts: [] }, `has \`answer\`, \`contexts\` and lacks \`query\`; ${form}`],
  ['contexts', { query: 'q', answer: 'a' }, `has \`query\`, \`answer\` and lacks \`contexts\`; ${form}`],
  [
    'answer',
    { ...record, response: 'b' },
    "has `answer` and `response`, which differ; keep the one that is the system's answer",
  ],
  [
    'answer',
    { ...record, context: ['c'] },
    "has `contexts` and `context`, which differ; keep the one that is the system's contexts",
  ],
  [
    'contexts',
    { ...record, question: 'r' },
    "has `query` and `question`, which differ; keep the one that is the system's query",
  ],
  [
    'answer',
    { ...record, contexts: " ['a']" },
    '`contexts` is a list written as one text; write a JSON list of texts',
  ],
  ['answer', { ...record, query: ' ' }, '`query` is not the text of a question'],
  ['answer', { ...record, answer: 7 }, '`answer` is not a text'],
  ['answer', { ...record, contexts: [7] }, '`contexts` is not a list of texts, or of objects with `text`'],
  [
    'answer',
    { ...record, tokens: { total: 7 } },
    '`tokens` is not {"input": WHOLE NUMBER, "output": WHOLE NUMBER}',
  ],
  [
    'answer',
    { ...record, tokens: { input: -1 } },
    '`tokens` is not {"input": WHOLE NUMBER, "output": WHOLE NUMBER}',
  ],
  [
    'answer',
    { ...record, tokens: { output: -1 } },
    '`tokens` is not {"input": WHOLE NUMBER, "output": WHOLE NUMBER}',
  ],
  ['answer', { ...record, calls: 1.5 }, '`calls` is not a whole number'],
  ['answer', { ...record, calls: -1 }, '`calls` is not a whole number'],
  ['answer', { ...record, cost: -1 }, '`cost` is not a number of dollars'],
  ['answer', { ...record, latency: '1 s' }, '`latency` is not a number of seconds'],
  ['answer', { ...record, model: 7 }, '`model` is not a name'],
  ['answer', '{', "is not valid JSON: expected property name or '}'"],
])('%s: %j is refused with the field and its form', (needs, line, message) => {
  expect(errors(needs, '', line)).toEqual([`:2: ${message}`])
})

test.each([
  ['total_tokens', 'tokens', 'tokens', '{"input": WHOLE NUMBER, "output": WHOLE NUMBER}'],
  ['usage', 'tokens', 'tokens', '{"input": WHOLE NUMBER, "output": WHOLE NUMBER}'],
  ['llm-calls', 'calls', 'calls', 'a whole number'],
  ['cost_usd', 'cost', 'cost', 'a number of dollars'],
  ['Latency (ms)', 'latency', 'latency', 'a number of seconds'],
  ['model_name', 'model', 'model', 'a name'],
  ['retrieved_context', 'contexts', 'contexts', 'a list of texts, or of objects with `text`'],
  ['Contexts', 'contexts', 'contexts', 'a list of texts, or of objects with `text`'],
])(
  'a field `%s` that means another one is refused, unless that one is there',
  (name, field, missing, allowed) => {
    const { contexts: _, ...bare } = record
    expect(errors('answer', { ...bare, id: 1, [name]: 5 })).toEqual([
      `:1: has the field \`${name}\`, which is not read; \`${missing}\` is ${allowed}: rename it, or remove it`,
    ])
    const given = { tokens: {}, calls: 1, cost: 1, latency: 1, model: 'm', contexts: [] }
    expect(read('answer', { ...bare, [name]: 5, [field]: given[field as keyof typeof given] })).toHaveLength(
      1,
    )
    expect(read('answer', { ...bare, [name]: null })).toHaveLength(1)
  },
)

test('names that only resemble a field are no matter: short ones, and those with two wrong letters', () => {
  expect(read('answer', { query: 'q', answer: 'a', querx: 1, costx: 1, retrieved_kontxxts: 1 })).toHaveLength(
    1,
  )
})

test('a query that comes again is refused, and a file without records', () => {
  expect(errors('answer', record, { ...record, query: ' q' })).toEqual([':2: repeats a query above'])
  expect(errors('answer', '')).toEqual([': holds no answers'])
  expect(errors('contexts', ' [ ]')).toEqual([': holds no queries'])
})

test('errors in a list have their item, and a broken list its line and column', () => {
  const bad = { query: 'r', answer: 5 }
  expect(errors('answer', ' [', record, ',', bad, ',', { ...bad, query: 's' }, ']')).toEqual([
    ', item 2: `answer` is not a text',
    ', item 3: `answer` is not a text',
  ])
  expect(errors('answer', '[{"query": "q",', ' "query": "r"}]')).toEqual([
    ':2:2: has the key "query" twice in one object',
  ])
  expect(errors('answer', '[}')).toEqual([expect.stringMatching(/^: is not valid JSON: unexpected token/)])
})

test.each<[string, boolean]>([
  ['{"query": "q", "contexts": []}\n{', true],
  ['\n {"question": "q", "context": "c"}', true],
  [' [{"user_input": "q", "retrieved_contexts": []},\n{}]', true],
  ['[{}, {"query": "q", "contexts": []}]', false],
  ['{"query": "q"}', false],
  ['{"contexts": []}', false],
  ['{"query": {"a": 1}, "contexts": {"b": 2}}', false],
  ['[]', false],
  ['[7]', false],
  ['q Q0 a 1 1 t', false],
  ['"query contexts"', false],
  ['{', false],
  ['', false],
])('%j holds texts of another system: %s', (text, is) => {
  expect(isOfTexts(written(text))).toBe(is)
})
