import { existsSync, mkdirSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { docsSection } from '../docs-section.ts'
import { writeTowns } from '../experiment/experiments.ts'
import { temporaryFolder } from '../temporary.ts'
import { standIn } from './stand-in.ts'

const CONFIG = `name: both
dataset: [small, {beir: {path: large}}]
trials: [naive, bm25, hybrid]
measures: [recall@5, mrr@10]
compare: {draws: 200}
`

function setUp(config = CONFIG) {
  const folder = temporaryFolder({ 'both.yaml': config })
  writeTowns(join(folder, 'small'), { towns: 12 })
  writeTowns(join(folder, 'large'), { towns: 24 })
  const at = (path: string) => join(folder, path)
  const call = async (...argv: string[]) => {
    const terminal = standIn({ folder })
    return { code: await main(argv, terminal), out: terminal.stdout(), err: terminal.stderr() }
  }
  return { at, call }
}

test('`check`, `plan` and `prepare` go over every dataset, in words and as JSON', async () => {
  const { call } = setUp()
  const checked = await call('check', 'both.yaml')
  expect(checked.out).toBe(
    'both.yaml is valid: 3 trials\nsmall: 12 documents, 13 queries, gold by document\n  first document: "d0", title "TownA0", text "TownA0 lives by weaving. Its road leads to TownF5, and it..."\n  first query: "q0", text "What does TownA0 live by?", gold "d0" (grade 1)\nnote: 12 of 13 queries share gold with another query, in 6 groups of up to 2, so they are not independent. `compare.cluster: gold` resamples groups instead of queries.\nlarge: 24 documents, 25 queries, gold by document\n  first document: "d0", title "TownA0", text "TownA0 lives by weaving. Its road leads to TownF5, and it..."\n  first query: "q0", text "What does TownA0 live by?", gold "d0" (grade 1)\nnote: 24 of 25 queries share gold with another query, in 12 groups of up to 2, so they are not independent. `compare.cluster: gold` resamples groups instead of queries.\nsmall: peak memory: about 0.2 GB to prepare, 0.2 GB to run\nlarge: peak memory: about 0.2 GB to prepare, 0.2 GB to run\n',
  )
  expect(JSON.parse((await call('check', 'both.yaml', '--json')).out)).toMatchObject({
    trials: 3,
    datasets: [{ dataset: 'small', queries: 13 }, { dataset: 'large' }],
  })
  const planned = await call('plan', 'both.yaml')
  expect(planned.out).toMatch(
    /^both on small: 3 trials, 13 queries\n[\s\S]*\n\nboth on large: 3 trials, 25 queries\n/,
  )
  expect(JSON.parse((await call('plan', 'both.yaml', '--json')).out).datasets).toMatchObject([
    { dataset: 'small', queries: 13 },
    { dataset: 'large', queries: 25 },
  ])
  expect((await call('prepare', 'both.yaml')).out).toMatch(
    /^small: built .*lsa, .*\nlarge: built .*lsa, .*\n$/,
  )
  expect(JSON.parse((await call('prepare', 'both.yaml', '--json')).out).datasets).toMatchObject([
    { dataset: 'small', built: [] },
    { dataset: 'large', built: [] },
  ])
})

test('the errors of all datasets at once, those of the trials once', async () => {
  const { at, call } = setUp(CONFIG.replace('hybrid', 'hipporag'))
  for (const name of ['small', 'large'])
    writeFileSync(at(`${name}/queries.jsonl`), '{"_id": "q0", "text": 5}\n')
  const { code, err } = await call('check', 'both.yaml')
  expect(code).toBe(2)
  expect(err).toContain('small/queries.jsonl:1: "text" must be a string')
  expect(err).toContain('large/queries.jsonl:1: "text" must be a string')
  expect(err.match(/reads what `prepare` does not name/g)).toHaveLength(1)
})

test('where one dataset is needed, the message names the settings that work', async () => {
  const { at, call } = setUp()
  renameSync(at('large'), at("Anna's large"))
  writeFileSync(at('both.yaml'), CONFIG.replace('path: large', `path: "Anna's large", missingGold: count`))
  const { code, err } = await call('ask', 'both.yaml', 'What does TownA0 live by?', '--trial', 'bm25')
  expect(code).toBe(2)
  expect(err).toBe(
    [
      'both.yaml: names 2 datasets, but this command takes one; choose one:',
      '  --set dataset=small',
      `  --set 'dataset={"beir":{"path":"Anna'\\''s large","split":"test","missingGold":"count","emptyDocuments":"refuse"}}'`,
      '',
    ].join('\n'),
  )
  for (const value of [
    'small',
    `{"beir":{"path":"Anna's large","split":"test","missingGold":"count","emptyDocuments":"refuse"}}`,
  ]) {
    const asked = await call('ask', 'both.yaml', 'What does TownA0 live by?', '--set', `dataset=${value}`)
    expect(asked.out).toContain('TownA0')
  }
})

describe('`run`', () => {
  test('prints the table in 80 columns, writes a report over all and one each, and leaves them as they stand', async () => {
    const { at, call } = setUp()
    const ran = await call('run', 'both.yaml', '--workers', '1')
    expect(ran.code).toBe(0)
    expect(ran.out).toMatch(
      /^naive and hybrid tie: recall@5, macro mean of [\s\S]*\n\n# +trial +small +large +macro mean\n1 {4}/,
    )
    expect(Math.max(...ran.out.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80)
    expect(ran.out).toMatch(
      /report: reports\/both\.html\n {2}small: reports\/both\/small\.html\n {2}large: reports\/both\/large\.html\n\n# /,
    )
    const page = readFileSync(at('reports/both.html'), 'utf8')
    for (const link of page.matchAll(/href="(both\/[^"]*)"/g))
      expect(existsSync(at(`reports/${link[1]}`))).toBe(true)
    expect(page).toContain('href="both/small.html"')
    const verbose = await call('run', 'both.yaml', '--workers', '1', '--verbose')
    expect(verbose.out).toContain('both: recall@5 in percent, 2 datasets\n\n# ')
    expect(verbose.out).toContain('Paired differences from naive, in points')
    const reports = ['reports/both.html', 'reports/both/small.html', 'reports/both/large.html'].map(at)
    for (const file of reports) utimesSync(file, 1, 1)
    const again = await call('run', 'both.yaml', '--workers', '1')
    expect(again.out).toMatch(/^the results are complete and unchanged; nothing was computed\n/)
    expect(again.out).toContain('report: reports/both.html, unchanged')
    for (const file of reports) expect(statSync(file).mtimeMs).toBe(1000)
  })

  test('`-o` and `--report` move all of it; as JSON it says where everything is', async () => {
    const { at, call } = setUp()
    mkdirSync(at('pages'))
    const { out } = await call(
      'run',
      'both.yaml',
      '--workers',
      '1',
      '-o',
      'mine',
      '--report',
      'pages',
      '--json',
    )
    const said = JSON.parse(out)
    expect(said).toMatchObject({
      experiment: at('mine'),
      report: at('pages/both.html'),
      macro: { experiment: 'both', datasets: [{ name: 'small' }, { name: 'large' }] },
      datasets: [
        { dataset: 'small', experiment: at('mine/small'), report: at('pages/both/small.html'), ran: 1 },
        { dataset: 'large', experiment: at('mine/large'), report: at('pages/both/large.html'), ran: 1 },
      ],
    })
    for (const { report } of said.datasets) expect(existsSync(report)).toBe(true)
    expect((await call('report', 'mine', '-o', 'one.html')).out).toBe(
      'one.html\none/small.html\none/large.html\n',
    )
    expect(readFileSync(at('one/small.html'), 'utf8')).toBe(readFileSync(at('pages/both/small.html'), 'utf8'))
  })

  test('a dataset less or more keeps the others; --only goes for all', async () => {
    const { at, call } = setUp()
    await call('run', 'both.yaml', '--workers', '1', '--only', 'naive,bm25')
    writeTowns(at('third'), { towns: 8 })
    const { out } = await call(
      'run',
      'both.yaml',
      '--workers',
      '1',
      '--only',
      'naive,bm25',
      '--json',
      '--set',
      'dataset=[third, small, large]',
    )
    const { datasets, macro } = JSON.parse(out)
    expect(datasets.map(({ ran }: { ran: number }) => ran)).toEqual([1, 0, 0])
    expect(macro.rows).toHaveLength(2)
  })
})

test('the folder: its table in every form, and what needs one dataset says so', async () => {
  const { at, call } = setUp()
  await call('run', 'both.yaml', '--workers', '1')
  const folder = 'experiments/both'
  expect((await call('leaderboard', folder)).out).toContain('macro mean')
  expect(JSON.parse((await call('leaderboard', folder, '--json')).out)).toMatchObject({
    result: JSON.parse(readFileSync(at(`${folder}/datasets.json`), 'utf8')).result,
  })
  const [head, ...lines] = (await call('leaderboard', folder, '--csv')).out.trimEnd().split('\r\n')
  expect(head).toMatch(/^kind,id,name,strategy,dataset,recall@5,.*,mrr@10 n,difference,/)
  expect(lines).toHaveLength(3 * 3)
  expect((await call('leaderboard', folder, '--markdown')).out).toContain(
    '| trial | small | large | macro mean |',
  )
  expect((await call('leaderboard', folder, '--latex')).out).toContain('trial & small & large & macro mean')
  expect((await call('leaderboard', `${folder}/small`)).out).toContain(
    'both: recall@5 in percent, 12 judged queries',
  )
  const one = `${folder}: is an experiment over several datasets; name the folder of one below it: small, large\n`
  const refused = await call('export', folder, '--trial', 'bm25', '-o', 'bm25.trec')
  expect(refused).toMatchObject({ code: 2, err: one })
  expect((await call('export', `${folder}/large`, '--trial', 'bm25', '-o', 'bm25.trec')).code).toBe(0)
  expect((await call('check', folder)).err).toContain("is an experiment's folder")
  // Each keeps the config that it alone would have.
  const own = await call('check', `${folder}/small/experiment.yaml`, '--json')
  expect(JSON.parse(own.out)).toMatchObject({ experiment: 'both', trials: 3, dataset: 'small' })
  // Nothing that either dataset's result was made from goes.
  expect((await call('clean', '.touchstone', '--keep', folder)).out).toBe('nothing removed\n')
  expect((await call('clean', '.touchstone', '--keep', `${folder}/small`, '--dry-run')).out).toMatch(
    /would be removed: \d/,
  )
  // A dataset that was taken off the list would lose its artifacts.
  const plan = at(`${folder}/plan.json`)
  const written = readFileSync(plan, 'utf8')
  for (const edited of [written.replace('"large"', '"small"'), written.replace(/,\s*"large"/, '')]) {
    expect(edited).not.toBe(written)
    writeFileSync(plan, edited)
    for (const command of [
      ['clean', '.touchstone', '--keep', folder, '--yes'],
      ['leaderboard', folder],
      ['report', folder],
      ['recording', 'prune', '.touchstone', '--keep', folder],
    ]) {
      const { code, err } = await call(...command)
      expect([code, err]).toEqual([
        2,
        expect.stringContaining('plan.json: was changed or lost since it was written'),
      ])
    }
  }
  writeFileSync(plan, written)
  expect((await call('clean', '.touchstone', '--keep', folder)).out).toBe('nothing removed\n')
})

test('the example of the page on it is in order', async () => {
  const page = docsSection('datasets.md', 'Several datasets in one experiment')
  const [, example] = /```yaml\n([\s\S]*?)```/.exec(page) ?? []
  const { at, call } = setUp(example)
  for (const name of ['datasets/quickstart', 'path/to/another', 'path/to/a-third']) writeTowns(at(name))
  renameSync(at('path/to/a-third/qrels/test.tsv'), at('path/to/a-third/qrels/dev.tsv'))
  expect((await call('check', 'both.yaml')).out).toMatch(
    /^both\.yaml is valid: 5 trials\nquickstart: .*\n(?: {2}first .*\n){2}note: .*\nanother: .*\n(?: {2}first .*\n){2}note: .*\na-third: .*\n(?: {2}first .*\n){2}note: .*\n(?:[\w-]+: peak memory: .*\n){3}$/,
  )
})

test('`check` takes YAML of promptfoo and the folder of a GraphRAG project for data, not for configs', async () => {
  const { at, call } = setUp()
  writeFileSync(
    at('tests.yaml'),
    'tests:\n  - vars:\n      question: Where?\n      context: At the strait.\n',
  )
  expect((await call('check', 'tests.yaml')).out).toMatch(/^tests\.yaml is valid, as promptfoo/)
  mkdirSync(at('project/output'), { recursive: true })
  writeFileSync(at('project/settings.yaml'), 'models: {}\n')
  for (const name of ['entities', 'relationships']) writeFileSync(at(`project/output/${name}.parquet`), '')
  expect((await call('check', 'project')).err).toMatch(
    /text_units\.parquet: is missing from this GraphRAG output/,
  )
  writeFileSync(at('lost.yaml'), 'trial: [bm25]\n')
  expect((await call('check', 'lost.yaml')).err).toMatch(/the config lacks `dataset`/)
})
