import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { setUp } from './set-up.ts'

const DOCUMENTS = {
  thai: ['เกลือถูกคราดจากนาเกลือ', 'พีทถูกตากแห้งบนชั้น', 'แกะกินหญ้าบนเนินเขาเปียก'],
  english: ['salt is raked from pans', 'peat is dried on racks', 'sheep graze wet hills'],
}
const QUERIES = { thai: ['นาเกลืออยู่ไหน', 'พีทตากแห้งที่ไหน'], english: ['Where is salt raked?', 'the peat'] }

function corpus(language: 'thai' | 'english', tokenizer: string) {
  const lines = (texts: readonly string[], letter: string) =>
    texts.map((text, i) => `${JSON.stringify({ _id: `${letter}${i}`, text })}\n`).join('')
  const prepare = `{chunk: passages, embedder: lsa, tokenizer: ${tokenizer}}`
  const config = `name: lost\ndataset: words\nprepare: ${prepare}\ntrials: [bm25, naive]\nmeasures: [recall@1]\n`
  return setUp(config, {
    'words/corpus.jsonl': lines(DOCUMENTS[language], 'd'),
    'words/queries.jsonl': lines(QUERIES[language], 'q'),
    'words/qrels/test.tsv': 'q0\td0\t1\nq1\td1\t1\n',
  })
}

const flat = (text: string) => text.replace(/\s+/g, ' ')
const LOST =
  'finds nothing for 2 of 2 judged queries, which share no word with the corpus (tokenizer words, language thai'

test('plan, run, its report and, once terms are counted, check say which queries find no word, and why', async () => {
  const { call, folder } = corpus('thai', 'words')
  expect((await call('check', 'a.yaml')).out).not.toContain('finds nothing')
  for (const name of ['bm25', 'lsa'])
    expect((await call('plan', 'a.yaml')).err).toContain(`warning: ${name}: ${LOST}`)
  expect((await call('check', 'a.yaml')).out).toContain(`warning: bm25: ${LOST}`)
  const ran = await call('run', 'a.yaml', '--workers', '1', '--report', 'a.html')
  expect([ran.code, ran.err]).toEqual([0, expect.stringContaining(LOST)])
  expect(flat(ran.out)).toContain(`bm25: ${LOST} (auto)); try \`prepare.tokenizer: auto\``)
  const page = flat(readFileSync(join(folder, 'a.html'), 'utf8').replace(/<[^>]*>/g, ''))
  expect(page).toContain(`Found nothing. bm25: ${LOST}`)
  expect(page).toContain(
    'tokenizer words; language auto: Thai (100.0 % of the letters) thai; based on 3 texts',
  )
})

test.each([
  ['thai', 'auto'],
  ['english', 'words'],
] as const)('%s with the tokenizer %s loses no query', async (language, tokenizer) => {
  const { call } = corpus(language, tokenizer)
  const ran = await call('run', 'a.yaml', '--workers', '1')
  expect([ran.code, ran.err + ran.out]).toEqual([0, expect.not.stringContaining('finds nothing')])
})
