import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { docsSection } from '../docs-section.ts'
import { sharedFolder } from '../temporary.ts'

const root = resolve(import.meta.dirname, '../..')
const BIN = join(root, 'bin/touchstone.js')
const action = parse(readFileSync(join(root, 'action.yml'), 'utf8'))
const TRIALS = { baseline: '[bm25]', broken: '[{ random: {}, name: bm25 }]' }
const folder = sharedFolder()

beforeAll(() => {
  // npx runs an installed package.
  const npx = `#!/bin/sh\n[ "$1 $2" = '--yes touchstone' ] || exit 9\nshift 2\nexec '${process.execPath}' '${BIN}' "$@"\n`
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin', 'npx'), npx, { mode: 0o755 })
  for (const [name, trials] of Object.entries(TRIALS)) {
    const data = JSON.stringify(join(root, 'datasets/quickstart'))
    const config = `dataset: ${data}\nprepare: {embedder: lsa}\nmeasures: [recall@5, mrr@10]\ntrials: ${trials}\n`
    writeFileSync(join(folder, `${name}.yaml`), config)
    const words = [BIN, 'run', `${name}.yaml`, '--workers', '1', '--out', name]
    expect(spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' })).toMatchObject({ status: 0 })
  }
})

/** Runs the steps of the action as GitHub does: each in bash, with the inputs in its environment, until one fails. */
function runAction(inputs: Readonly<Record<string, string>>) {
  const summary = join(folder, 'summary.md')
  writeFileSync(summary, '# Others\n')
  const inputOf = (name: string): string => {
    if (!Object.hasOwn(action.inputs, name)) throw new Error(`the action has no input ${name}`)
    const value = inputs[name] ?? action.inputs[name].default
    if (value === undefined) throw new Error(`the input ${name} is required`)
    return value
  }
  let status: number | null = 0
  for (const { shell, env, run } of action.runs.steps) {
    expect(shell).toBe('bash')
    const given = Object.entries<string>(env).map(([name, text]) => [
      name,
      text.replace(/\$\{\{ inputs\.(\S+) \}\}/g, (_, input) => inputOf(input)),
    ])
    const script = join(folder, 'step.sh')
    writeFileSync(script, run)
    status = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
      cwd: folder,
      encoding: 'utf8',
      env: {
        ...process.env,
        ...Object.fromEntries(given),
        PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`,
        GITHUB_STEP_SUMMARY: summary,
      },
    }).status
    if (status !== 0) break
  }
  return { status, summary: readFileSync(summary, 'utf8') }
}

test('the action passes what is as good, as the page shows it', () => {
  const [, yaml] = /```yaml\n([\s\S]*?)```/.exec(docsSection('ci.md', 'A gate for changes')) ?? []
  const steps: { uses?: string; with?: Record<string, unknown> }[] = parse(yaml).jobs.gate.steps
  const inputs = steps.find(({ uses }) => uses?.includes('/touchstone@'))?.with ?? {}
  const shown = Object.entries(inputs).map(([name, value]) => [name, String(value)])
  const { status, summary } = runAction({ ...Object.fromEntries(shown), experiment: 'baseline' })
  expect(status).toBe(0)
  expect(summary).toMatch(/^# Others\n### Retrieval gate: passed\n\n\| row \|/)
})

test('the action fails a job by a drop, with the table in its summary', () => {
  const { status, summary } = runAction({ experiment: 'broken', baseline: 'baseline', measure: 'mrr@10' })
  expect(status).toBe(3)
  expect(summary).toContain('### Retrieval gate: failed')
  expect(summary).toContain('mrr@10: 1 of 1 rows dropped')
})

test('the action writes errors into the summary', () => {
  const { status, summary } = runAction({ experiment: 'nowhere; false', baseline: 'baseline' })
  expect(status).toBe(2)
  expect(summary).toMatch(/### Retrieval gate: error\n\n```\nnowhere; false: .+\n```\n$/)
})
