import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { docsSection } from '../docs-section.ts'
import { setUp } from './set-up.ts'

const config = (trials: string, more = '') =>
  `dataset: towns\nprepare: {embedder: lsa}\nmeasures: [recall@5, recall@1, tokens@3]\ntrials: ${trials}\n${more}`

/** `naive` over a corpus of which it may see one chunk: a search that lost nearly everything. */
const BROKEN = '[{ bm25: {}, name: bm25 }, { random: {}, name: naive }]'

test('`gate` passes what is as good, and fails what has dropped, with JUnit and Markdown', async () => {
  const { folder, call } = setUp(config('[bm25, naive]'), {
    'b.yaml': config(BROKEN),
    'c.yaml': config('[{ bm25: {}, name: "<b>|x" }, naive]'),
  })
  const text = (path: string) => readFileSync(join(folder, path), 'utf8')
  for (const name of ['a', 'b', 'c'])
    expect((await call('run', `${name}.yaml`, '--workers', '1')).err).toBe('')
  const gate = (...argv: string[]) => call('gate', ...argv, '--measure', 'recall@1', '--max-drop', '0.01')

  const passed = await gate('experiments/a', '--baseline', 'experiments/a')
  expect(passed).toMatchObject({ code: 0 })
  expect(passed.out).toContain(
    'recall@1: no row is shown to have dropped by more than 1.0 points (level 0.05).\nMDE (80 %): minimum detectable effect',
  )

  const failed = await gate(
    'experiments/b',
    '--baseline',
    'experiments/a',
    '--junit',
    'gate.xml',
    '--markdown',
    'gate.md',
  )
  expect(failed).toMatchObject({ code: 3 })
  expect(failed.out).toMatch(/naive .* DROPPED/)
  expect(failed.out).toMatch(/bm25 .* ok/)
  expect(text('gate.md')).toMatch(/^### Retrieval gate: failed\n\n\| row \| queries \| before \|/)
  expect(text('gate.xml')).toMatch(
    /^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites tests="2" failures="1">/,
  )
  expect(text('gate.xml')).toContain(
    '<testcase classname="recall@1" name="naive"><failure message="queries: ',
  )
  const { rows } = JSON.parse((await gate('experiments/b', '--baseline', 'experiments/a', '--json')).out)
  expect(rows[1]).toMatchObject({ name: 'naive', failed: true })
  expect(rows[1].before - rows[1].now).toBeCloseTo(rows[1].drop, 12)
  // Of two rows each is tested at half the level, as by Holm's division.
  const catchable = async (...argv: string[]) => {
    const { out } = await gate('experiments/b', '--baseline', 'experiments/a', '--json', ...argv)
    return JSON.parse(out).rows.map((row: { catchable: number | null }) => row.catchable)
  }
  const [, ofTwo] = await catchable('--level', '0.4')
  const alone = await catchable('--trial', 'naive', '--level', '0.4')
  expect(alone[0]).toBeLessThan(ofTwo)
  expect(await catchable('--trial', 'naive', '--level', '0.2')).toEqual([ofTwo])
  // The same again, and one row alone.
  expect((await gate('experiments/b', '--baseline', 'experiments/a')).out).toBe(failed.out)
  expect((await gate('experiments/b', '--baseline', 'experiments/a', '--trial', 'bm25')).code).toBe(0)

  // A name is text, wherever it is written.
  const other = await gate(
    'experiments/c',
    '--baseline',
    'experiments/c',
    '--junit',
    'c.xml',
    '--markdown',
    'c.md',
  )
  expect(other.code).toBe(0)
  expect(text('c.xml')).toContain('name="&lt;b&gt;|x"')
  expect(text('c.md')).toContain('| \\<b\\>\\|x |')
  expect((await gate('experiments/c', '--baseline', 'experiments/a')).out).toContain(
    'Not compared, the baseline lacks them: `<b>|x`.',
  )
})

test('the steps for GitHub Actions run as they stand', async () => {
  const page = docsSection('ci.md', 'A gate for changes')
  const [, yaml] = /```yaml\n([\s\S]*?)```/.exec(page) ?? []
  const steps: { run?: string }[] = parse(yaml).jobs.gate.steps
  const commands = steps.flatMap(({ run }) => (run === undefined || run === 'npm ci' ? [] : [run]))
  expect(commands).toHaveLength(3)
  const { folder, call } = setUp(config('[bm25, naive]'), { 'experiment.yaml': config('[bm25, naive]') })
  expect((await call('run', 'a.yaml', '--workers', '1', '-o', 'baseline')).code).toBe(0)
  for (const command of commands) {
    const [npx, touchstone, ...argv] = command.split(' ')
    if (npx === 'npx' && touchstone === 'touchstone')
      expect(await call(...argv, ...(argv[0] === 'run' ? ['--workers', '1'] : []))).toMatchObject({ code: 0 })
    else
      execFileSync('bash', ['-c', command], {
        cwd: folder,
        env: { ...process.env, GITHUB_STEP_SUMMARY: 'summary.md' },
      })
  }
  expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toMatch(/^### Retrieval gate: passed\n/)
})

test('`gate` names every error', async () => {
  const { call } = setUp(config('[bm25]'))
  await call('run', 'a.yaml', '--workers', '1')
  const gate = (...argv: string[]) => call('gate', 'experiments/a', ...argv)
  expect(await gate()).toMatchObject({
    code: 2,
    err: 'name the experiment to compare with: --baseline FOLDER\n',
  })
  expect((await gate('--baseline', 'experiments/none')).err).toContain('there is no such folder')
  const wrong = await gate('--baseline', 'experiments/a', '--measure', 'recall@2', '--trial', 'bm52')
  expect(wrong.code).toBe(2)
  expect(wrong.err.match(/has no measure `recall@2`/g)).toHaveLength(2)
  expect(wrong.err.match(/has no row `bm52` \(did you mean "bm25"\?\)/g)).toHaveLength(2)
  expect((await gate('--baseline', 'experiments/a', '--measure', 'tokens@3')).err).toContain(
    '`tokens@3` does not lie between 0 and 1',
  )
  for (const drop of ['1', '2'])
    expect((await gate('--baseline', 'experiments/a', '--max-drop', drop)).code).toBe(2)
})
