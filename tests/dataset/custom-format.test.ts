import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadConfig } from '../../src/config/load.ts'
import { loadDataset } from '../../src/dataset/load.ts'
import { openHub } from '../../src/hub/open.ts'
import { temporaryFolder } from '../temporary.ts'

const FORMAT = `export default {
  name: 'tickets',
  summary: 'a help desk',
  roles: { corpus: { path: /^answers\\.jsonl$/ }, questions: { path: /^tickets\\.csv$/ } },
  document: (record) => ({ id: record.key, text: record.body, title: record.subject }),
  question: (record) => ({ id: record.number, text: record.ask, gold: record.answered_by.split(' ') }),
}`
const FILES = {
  'tickets.mjs': FORMAT,
  'desk/answers.jsonl':
    '{"key": "a1", "subject": "Login", "body": "Reset it."}\n{"key": "a2", "body": "On Mondays."}\n',
  'desk/tickets.csv': 'number,ask,answered_by\n1,How do I log in?,a1\n2,When?,a2 a1\n',
}

/** Dataset of a config whose format is a file. */
async function load(files: Readonly<Record<string, string>>) {
  const config = 'name: t\ndataset: {./tickets.mjs: desk}\ntrials: [bm25]\nmeasures: [recall@5]\n'
  const folder = temporaryFolder({ ...FILES, ...files, 't.yaml': config })
  const hub = openHub({ env: {}, notice: () => {}, progress: () => {} })
  const { datasets } = await loadConfig(join(folder, 't.yaml'), { set: [], env: {}, folder, hub })
  return loadDataset(datasets[0], folder).catch((error: Error) => {
    throw new Error(error.message.replaceAll(`${folder}/`, ''))
  })
}

test('a format in a file is read as the rows of the table are', async () => {
  const { documents, queries, qrels, notices } = await load({})
  expect(documents.map(({ id, title, text }) => [id, title, text])).toEqual([
    ['a1', 'Login', 'Reset it.'],
    ['a2', '', 'On Mondays.'],
  ])
  expect(queries.map(({ id, text }) => [id, text])).toEqual([
    ['1', 'How do I log in?'],
    ['2', 'When?'],
  ])
  expect([...(qrels.get('2') ?? [])]).toEqual([
    ['a2', 1],
    ['a1', 1],
  ])
  expect(notices).toContain('read as tickets: answers.jsonl, tickets.csv')
})

test.each([
  ['desk/tickets.csv', 'number,ask\n1,How?\n', 'desk/tickets.csv:2: `question` of tickets.mjs failed: '],
  [
    'desk/answers.jsonl',
    '{"key": "a1", "text": "x"}\n',
    'desk/answers.jsonl:1: lacks `text`, which must be text',
  ],
  ['desk/tickets.csv', 'number,ask,answered_by\n1,How?,a9\n', 'desk/tickets.csv:2: unknown document "a9"'],
  [
    'tickets.mjs',
    FORMAT.replace('corpus:', 'corpse:'),
    'is not a dataset format: there is no `corpse` in `roles`',
  ],
  [
    'tickets.mjs',
    FORMAT.replace("'tickets'", "'beir'"),
    'calls itself `beir`, which is a dataset format already',
  ],
])('%s that is wrong is refused: %j', async (file, content, message) => {
  await expect(load({ [file]: content })).rejects.toThrow(message)
})
