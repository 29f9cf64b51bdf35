import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { writeDrafting } from '../experiment/drafting-model.ts'
import { temporaryFolder } from '../temporary.ts'
import { standIn } from './stand-in.ts'

/** Completions of a real model of 0.5 billion parameters, replayed without it. */
const RECORDING = fileURLToPath(new URL('../golden/models/qwen-drafting.jsonl', import.meta.url))

test('a small model drafts questions and labels passages, from its recording', async () => {
  const folder = temporaryFolder()
  // Nobody listens at its address.
  writeDrafting(folder, undefined, RECORDING)
  const call = async (...argv: string[]) => {
    const terminal = standIn({ folder })
    const code = await main(argv, terminal)
    return { code, out: terminal.stdout(), err: terminal.stderr() }
  }
  const lines = (name: string) =>
    readFileSync(join(folder, name), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  const how = ['--kinds', 'fact', '--persona', 'a sailor', '-n', '4', '--no-arms', '-o', 'drafted.jsonl']
  expect(await call('questions', 'draft', 'a.yaml', '--model', 'small', ...how)).toMatchObject({ code: 0 })
  expect(lines('drafted.jsonl')).toMatchObject([
    {
      text: 'What is the name of the market town on the river Osk?',
      metadata: { synthetic: 'touchstone questions draft: fact', answers: ['Tarn'] },
    },
  ])
  // The model repeats itself and speaks of the passage; the filters notice.
  expect(lines('drafted.jsonl.dropped.jsonl').map(({ reason }) => reason)).toEqual([
    'it speaks of the passage',
    'it speaks of the passage',
    'it asks nothing',
  ])
  expect((await call('run', 'a.yaml', '--workers', '1')).code).toBe(0)
  expect((await call('labels', 'pool', 'labels', 'experiments/a')).code).toBe(0)
  const judged = await call('labels', 'judge', 'labels', 'a.yaml', '--model', 'small')
  expect(judged).toMatchObject({ code: 0, out: 'small labelled 4 passages\n' })
  // It gives every passage the same grade: why its agreement with people is measured before its labels count.
  const [header, ...acts] = lines('labels/small.labels.jsonl')
  expect(header).toMatchObject({ kind: 'model', by: expect.stringContaining('judge-relevance') })
  expect(acts.map(({ grade }) => grade)).toEqual([2, 2, 2, 2])
  const early = await call(
    'labels',
    'export',
    'labels',
    '--to',
    'labels',
    '--model',
    'small',
    '-o',
    'x.jsonl',
  )
  expect(early).toMatchObject({ code: 2 })
  expect(early.err).toContain('the model small shares 0 labels with people; label 30 more of its passages')
})
