import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { temporaryFolder } from '../temporary.ts'
import { standIn } from './stand-in.ts'

async function run(folder: string, ...argv: string[]) {
  const terminal = standIn({ folder })
  return { code: await main(argv, terminal), out: terminal.stdout(), err: terminal.stderr() }
}

test('init writes a config and a dataset that are in order', async () => {
  const folder = temporaryFolder()
  const { code, out } = await run(folder, 'init', 'mine')
  expect(code).toBe(0)
  expect(out).toContain('touchstone run mine/touchstone.yaml')
  expect(await run(folder, 'check', 'mine/touchstone.yaml')).toMatchObject({ code: 0, err: '' })
  const checked = await run(folder, 'check', 'mine/dataset', '--json')
  expect(JSON.parse(checked.out)).toMatchObject({ format: 'beir', documents: 12, queries: 8, judged: 8 })
})

test('init overwrites nothing: it names what is there and writes none of the rest', async () => {
  const folder = temporaryFolder({ 'dataset/corpus.jsonl': 'mine\n' })
  const { code, err } = await run(folder, 'init')
  expect(code).toBe(2)
  expect(err).toBe('dataset/corpus.jsonl: is there already; nothing was written\n')
  expect(readFileSync(join(folder, 'dataset/corpus.jsonl'), 'utf8')).toBe('mine\n')
  expect(() => readFileSync(join(folder, 'touchstone.yaml'))).toThrow()
})

test('check shows the mistakes of a config, then those of its data, with their places', async () => {
  const folder = temporaryFolder()
  await run(folder, 'init')
  const wrong = await run(folder, 'check', 'touchstone.yaml', '--set', 'depth=many')
  expect(wrong).toMatchObject({ code: 2, err: '--set depth: `depth` must be a number, not `many`\n' })
  writeFileSync(join(folder, 'dataset/qrels/test.tsv'), 'query-id\tcorpus-id\tscore\nq1\tnowhere\t1\n')
  const data = await run(folder, 'check', 'touchstone.yaml', '--json')
  expect(data.code).toBe(2)
  const { mistakes } = JSON.parse(data.out)
  expect(mistakes[0]).toMatchObject({ line: 2 })
  expect(mistakes[0].message).toContain('nowhere')
})

test('check of nothing', async () => {
  expect(await run(temporaryFolder(), 'check', 'absent.yaml')).toMatchObject({
    code: 2,
    err: 'absent.yaml: there is no such file or folder\n',
  })
})

test('list --json holds every topic; each strategy with params and defaults', async () => {
  const { code, out } = await run('/nowhere', 'list', '--json')
  expect(code).toBe(0)
  const lists = JSON.parse(out)
  expect(Object.keys(lists)).toEqual([
    'strategies',
    'transforms',
    'measures',
    'models',
    'formats',
    'preparation',
  ])
  const bm25 = lists.strategies[0].entries.find(({ name }: { name: string }) => name === 'bm25')
  expect(bm25.params).toContainEqual({
    name: 'k1',
    type: 'number, 0 to 100',
    default: 0.9,
    required: false,
    summary: expect.any(String),
  })
})

test('list fits 80 columns', async () => {
  const { out } = await run('/nowhere', 'list')
  expect(out).toContain('STRATEGIES\n')
  expect(out.split('\n').filter((line) => line.length > 80 && !/ {2}\S{30,}/.test(line))).toEqual([])
})
