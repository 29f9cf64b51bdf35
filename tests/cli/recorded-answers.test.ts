import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { sha256File } from '../../src/store/hash.ts'
import { SMALL_MODEL, SMALL_QUESTIONS, writeSmallModelExperiment } from '../run/small-model.ts'
import { temporaryFolder } from '../temporary.ts'
import { standIn } from './stand-in.ts'

/** What a real model wrote (the heavy suite records it anew), replayed without it. */
const RECORDING = fileURLToPath(new URL('../golden/models/smollm2-answers.jsonl', import.meta.url))

test('a small model rewrites queries, from its recording', async () => {
  const folder = temporaryFolder()
  // Nobody listens at its address.
  writeSmallModelExperiment(folder)
  const terminal = standIn({ folder })
  const argv = [
    'run',
    'small.yaml',
    '--workers',
    '1',
    '--set',
    `answers=${RECORDING}`,
    '--out',
    'out',
    '--report',
    'r.html',
  ]
  expect(await main(argv, terminal)).toBe(0)
  expect(terminal.stderr()).not.toContain('failed')
  const read = (file: string) => JSON.parse(readFileSync(join(folder, 'out', file), 'utf8'))
  const means = read('summary.json').trials.map(
    ({ name, measures }: { name: string; measures: Record<string, { mean: number }> }) => [
      name,
      measures['recall@5'].mean,
    ],
  )
  expect(means).toMatchInlineSnapshot(`
    [
      [
        "naive before=none",
        0.9166666666666666,
      ],
      [
        "bm25 before=none",
        0.8333333333333334,
      ],
      [
        "naive before=hyde(model=small,repeat=0)",
        0.8333333333333334,
      ],
      [
        "bm25 before=query2doc(model=small,repeat=0,copies=5)",
        0.8333333333333334,
      ],
    ]
  `)
  const { files, steps } = read('manifest.json')
  // All of it was read, and nothing else: the result names the recording by its hash.
  expect(files['answers.jsonl']).toBe(sha256File(RECORDING))
  expect(steps.computed['ask-model']).toBe(SMALL_QUESTIONS)
  const answers = readFileSync(RECORDING, 'utf8').trim().split('\n')
  expect(answers).toHaveLength(SMALL_QUESTIONS)
  for (const line of answers) expect(JSON.parse(line).answer.model).toBe(SMALL_MODEL)
})
