import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { describeShared, shared } from '../shared.ts'
import { standIn } from './stand-in.ts'

const folder = mkdtempSync(join(tmpdir(), 'score-'))
afterAll(() => rmSync(folder, { recursive: true }))
const write = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return name
}
async function touchstone(...argv: string[]) {
  const terminal = standIn({ folder })
  const code = await main(argv, terminal)
  return { code, out: terminal.stdout(), err: terminal.stderr() }
}

const qrels = write('qrels.txt', 'q1 0 a 1\nq1 0 b 0\nq2 0 a 1\nq3 0 c 2\n')
const good = write('good.trec', 'q1 Q0 a 1 2 good\nq1 Q0 b 2 1 good\nq2 Q0 a 1 1 good\nq3 Q0 c 1 1 good\n')
const bad = write('bad.trec', 'q1 Q0 b 1 2 bad\nq1 Q0 a 2 1 bad\nq2 Q0 x 1 1 bad\n')

describe('score', () => {
  test('one run: trec_eval lines', async () => {
    const { code, out, err } = await touchstone('score', qrels, bad, '-m', 'mrr', '-m', 'num_q', '-q')
    expect({ code, out }).toEqual({
      code: 0,
      out: ['mrr q1 0.5000', 'mrr q2 0.0000', 'mrr q3 0.0000', 'mrr all 0.1667', 'num_q all 3', '']
        .map((line) =>
          line.replace(
            /^(\S+) (\S+) (.*)/,
            (_, name, query, value) => `${name.padEnd(22)}\t${query}\t${value}`,
          ),
        )
        .join('\n'),
    })
    expect(err).toContain('judged queries that the run lacks, counted as 0: 1')
  })
  test('judged queries that a run lacks: 0, or left out where asked or as BEIR does', async () => {
    const mean = async (...flags: string[]) => {
      const { code, out, err } = await touchstone('score', qrels, bad, '-m', 'mrr', '--json', ...flags)
      return code === 0 ? JSON.parse(out).runs[0].measures.mrr : err
    }
    expect(await mean()).toBe(0.5 / 3)
    expect(await mean('--present-only')).toBe(0.25)
    expect(await mean('--dialect', 'beir')).toBe(0.25)
    expect(await mean('--dialect', 'beir', '-c')).toBe(0.16667)
    expect(await mean('-c', '--present-only')).toContain('--complete and --present-only contradict')
  })

  test('several runs, by pattern: a table; JSON; LaTeX', async () => {
    expect((await touchstone('score', qrels, '*.trec', '-m', 'mrr')).out).toBe(
      'run      mrr  judged@10\nbad   0.1667     0.5000\ngood  1.0000     1.0000\n',
    )
    const { out } = await touchstone('score', qrels, bad, '-m', 'mrr', '--json', '--present-only')
    expect(JSON.parse(out)).toMatchObject({
      dialect: 'trec_eval-10',
      runs: [{ run: 'bad', queries: 2, missing: 1, measures: { mrr: 0.25 } }],
    })
    expect((await touchstone('score', qrels, good, bad, '-m', 'mrr', '--latex')).out).toContain(
      '  good & 1.0000 \\\\',
    )
  })
  test('by a metric of one’s own, beside others', async () => {
    write(
      'first.mjs',
      `export default { name: 'first', summary: 's', score: ({ found }, { k }) => (found[0] <= k ? 1 : 0) }`,
    )
    const asked = ['-m', './first.mjs@1', '-m', 'P.1', '--json']
    const { code, out } = await touchstone('score', qrels, good, bad, ...asked)
    expect(code).toBe(0)
    const measures = JSON.parse(out).runs.map((run: { measures: unknown }) => run.measures)
    expect(measures).toEqual([
      { 'first@1': 1, P_1: 1 },
      { 'first@1': 0, P_1: 0 },
    ])
    const compared = await touchstone('compare', qrels, good, bad, '-m', './first.mjs@2', '--json')
    expect(JSON.parse(compared.out)).toMatchObject({
      measure: 'first@2',
      runs: [{ mean: 1 }, { mean: 1 / 3 }],
    })
    write('none.mjs', 'export default 3')
    const wrong = await touchstone('score', qrels, good, '-m', './none.mjs@1', '-m', './absent.mjs')
    expect(wrong.code).toBe(2)
    expect(wrong.err).toMatch(
      /none\.mjs: the default export is not a metric\n.*absent\.mjs: there is no such file/,
    )
    const text = `export default { name: 'texts', summary: 's', needs: 'contains', score: () => 1 }`
    write('texts.mjs', text)
    const { err } = await touchstone('compare', qrels, good, bad, '-m', './texts.mjs@1')
    expect(err).toContain('`texts@1` needs texts and answers, which a run does not hold')
  })

  test('errors: all files at once, exit 2', async () => {
    const wrong = write('wrong.trec', 'q1 Q0 a 1 x t\n')
    const foreign = write('foreign.trec', 'z Q0 a 1 1 t\n')
    const { code, err } = await touchstone('score', qrels, wrong, foreign, 'missing.trec')
    expect(code).toBe(2)
    expect(err).toContain('wrong.trec:1: the score `x` is not a finite number')
    expect(err).toContain(
      'foreign.trec: none of its queries is judged in qrels.txt: are the query ids the same?',
    )
    expect(err).toContain('missing.trec: there is no such file')
    expect(await touchstone('score', qrels, good, '-m', 'recall@100tok')).toMatchObject({ code: 2 })
    expect((await touchstone('score', qrels, good, '-m', 'nddcg@10')).err).toContain(
      '(did you mean "ndcg@10"?)',
    )
  })
})

test('qrels given as a run are refused, whatever their format; a perfect run is not', async () => {
  const copies = [
    qrels,
    write('copy.txt', 'q1 0 a 1\nq1 0 b 0\nq2 0 a 1\nq3 0 c 2\n'),
    write('copy.tsv', 'query-id\tcorpus-id\tscore\nq1\ta\t1\nq1\tb\t0\nq2\ta\t1\nq3\tc\t2\n'),
  ]
  for (const copy of copies) {
    const { code, err } = await touchstone('score', qrels, copy, '-m', 'mrr')
    expect({ code, err: err.split('\n').at(-2) }).toEqual({
      code: 2,
      err: `${copy}: holds the qrels: its documents and scores are those of ${qrels}; name the run of a system`,
    })
  }
  const perfect = write('perfect.run', 'q1 Q0 a 1 1 p\nq1 Q0 b 2 0 p\nq2 Q0 a 1 1 p\nq3 Q0 c 1 2 p\n')
  expect(await touchstone('score', qrels, perfect, '-m', 'mrr')).toMatchObject({ code: 0 })
})

test('mistakes of a command line are answered with the line that works', async () => {
  const table = write('table.csv', 'query,passage_no,score\nq1,a,3\n')
  expect((await touchstone('score', qrels, table)).err).toContain(
    '; name it with --run-columns document=COLUMN\n',
  )
  expect((await touchstone('score', qrels, good, '-m', 'ndcg@10, map')).err).toBe(
    '`ndcg@10, map` is not one measure; repeat the option: -m ndcg@10 -m map\n',
  )
  // A list of trec_eval's cutoffs, and arguments, hold commas too.
  const lists = ['-m', 'P.5,10', '-m', 'rbp(p=0.9, rel=1)']
  expect(await touchstone('score', qrels, good, ...lists)).toMatchObject({ code: 0 })
  // Messages name a file as it was given.
  expect((await touchstone('score', qrels, bad, '-m', 'mrr')).err).toMatch(/^bad\.trec: judged queries/)
})

describe('compare', () => {
  test('prints statistics and a verdict; JSON holds the t-test too', async () => {
    const { code, out } = await touchstone('compare', qrels, bad, good, '-m', 'mrr', '--draws', '500')
    expect(code).toBe(0)
    expect(out).toMatch(/good - bad +\+0\.8333/)
    expect(out).toContain('3 queries, and a verdict needs 15')
    const json = JSON.parse(
      (await touchstone('compare', qrels, bad, good, '-m', 'mrr', '--draws', '500', '--json')).out,
    )
    expect(json.comparisons[0]).toMatchObject({
      name: 'good',
      baseline: 'bad',
      wins: 3,
      ties: 0,
      losses: 0,
      p: null,
      verdict: 'cannot tell',
      // Differences of 0.5, 1 and 1: 0.8333 over an error of 1 / 6, with two degrees of freedom.
      tTest: { t: expect.closeTo(5, 9), p: expect.closeTo(1 - 5 / Math.sqrt(27), 9) },
    })
  })
  test('errors', async () => {
    expect((await touchstone('compare', qrels, good, bad, '--baseline', 'godo')).err).toContain(
      'there is no run `godo` (did you mean "good"?); there are good, bad',
    )
    expect((await touchstone('compare', qrels, good)).err).toContain('compare needs two runs or more')
    expect((await touchstone('compare', qrels, good, bad, '-m', 'num_rel')).err).toContain(
      'is not a mean over queries',
    )
  })
})

describe('export', () => {
  test('there and back', async () => {
    expect((await touchstone('export', good, '-o', 'good.parquet')).code).toBe(0)
    expect((await touchstone('export', 'good.parquet', '--kind', 'run', '-o', 'again.trec')).code).toBe(0)
    expect(readFileSync(join(folder, 'again.trec'), 'utf8')).toBe(readFileSync(join(folder, good), 'utf8'))
  })
  test('errors', async () => {
    expect((await touchstone('export', 'good.parquet', '-o', 'x.trec')).err).toContain(
      'may be a run or qrels; say which with --kind run or --kind qrels',
    )
    expect((await touchstone('export', good, '-o', 'x.doc')).err).toContain('Say --to parquet')
    expect((await touchstone('export', good)).err).toContain('name the file to write: -o FILE')
  })
})

test('import writes a BEIR folder that reads back equal', async () => {
  const source = join(folder, 'source')
  mkdirSync(join(source, 'qrels'), { recursive: true })
  write(
    'source/corpus.jsonl',
    '{"_id":"d1","title":"T","text":"a b","metadata":{"year":3}}\n{"_id":"d2","title":"","text":"c"}\n',
  )
  write(
    'source/queries.jsonl',
    '{"_id":"q1","text":"?","metadata":{"category":"x","answers":["a"],"hop":2}}\n{"_id":"q2","text":"!","metadata":{"answerable":false}}\n',
  )
  write('source/qrels/test.tsv', 'query-id\tcorpus-id\tscore\tgroup\nq1\td1\t1\tg\nq1\td2\t2\tg\n')
  const { code, out, err } = await touchstone('import', 'source', '-o', 'copy')
  expect({ code, err }).toEqual({
    code: 0,
    err: 'read as beir\nfirst document: "d1", title "T", text "a b"\nfirst query: "q1", text "?", gold "d1" (grade 1)\n',
  })
  expect(out).toContain('2 documents, 2 queries, read back equal')
  expect((await touchstone('import', 'source', '-o', 'copy')).err).toContain(
    'is there and not empty; name a new folder',
  )
})

describeShared('score prints what trec_eval prints, byte for byte', () => {
  const at = (name: string) => shared('conformance', 'trec_eval', name)
  test.each([
    ['out.test', ['qrels.test', 'results.test']],
    ['out.test', ['qrels.test.with-comments', 'results.test']],
    ['out.comment.test', ['qrels.comment.test.gz', 'results.comment.test.gz']],
  ])('%s of %j', async (expected, files) => {
    expect((await touchstone('score', ...files.map(at))).out).toBe(readFileSync(at(expected), 'utf8'))
  })
})
