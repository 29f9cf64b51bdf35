import { join, relative } from 'node:path'
import { UserError } from '../errors.ts'
import { readPlan } from '../experiment/plan/plan.ts'
import { readResults, readWhole } from '../results/read.ts'
import { writeText } from '../runs/source.ts'
import { requireOutputFolder } from '../store/output.ts'
import { NAME } from '../version.ts'
import { configOf, trialNamed } from './trial-config.ts'

/** Questions of the written test. */
const TESTED = 3
/** Chunks of each that it expects. */
const EXPECTED = 5

/**
 * Writes a program that retrieves with a trial of a finished experiment over its store: a module, its config, and a
 * test that expects the stored rankings. Throws a UserError if there are none.
 */
export async function exportCode(folder: string, name: string, out: string) {
  const summary = readWhole(folder)
  const trial = trialNamed(folder, summary, name)
  if (!trial.finalist)
    throw new UserError(
      `stored no rankings of \`${trial.name}\`, which the written test needs; run the config with --only ${JSON.stringify(trial.name)}`,
      folder,
    )
  requireOutputFolder(out)
  const plan = readPlan(folder)
  const store = relative(out, plan.store)
  const files = {
    'config.yaml': await configOf(plan, trial, out),
    'retriever.mts': moduleText(store),
    'retriever.test.mts': testText(await expectations(folder, summary.trials.indexOf(trial))),
  }
  for (const [file, text] of Object.entries(files)) writeText(join(out, file), text)
  return { trial: trial.name, files: Object.keys(files) }
}

interface Expectation {
  readonly question: string
  readonly chunks: readonly string[]
}

async function expectations(folder: string, trial: number): Promise<Expectation[]> {
  const { rankings, queries } = await readResults(folder, () => [])
  const byQuery = new Map<number, string[]>()
  for (let row = 0; row < rankings.rows; row++) {
    if (rankings.trial[row] !== trial || rankings.rank[row] > EXPECTED) continue
    const { query, chunk } = {
      query: rankings.query[row],
      chunk: rankings.chunk.words[rankings.chunk.codes[row]],
    }
    byQuery.set(query, [...(byQuery.get(query) ?? []), chunk])
  }
  return [...byQuery].slice(0, TESTED).map(([query, chunks]) => ({ question: queries.text[query], chunks }))
}

function moduleText(store: string): string {
  return `import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createRetriever, type RetrievedChunk, type RetrieveOptions } from '${NAME}'

const here = dirname(fileURLToPath(import.meta.url))

/** The retriever that was measured, over the prepared store; opened once. */
const opened = createRetriever(join(here, 'config.yaml'), { store: join(here, ${JSON.stringify(store)}) })

/** First \`k\` chunks for a question, best first. A filter of the trial may read \`metadata\` of the question. */
export async function retrieve(
  question: string,
  k = 5,
  metadata?: RetrieveOptions['metadata'],
): Promise<readonly RetrievedChunk[]> {
  return (await opened).retrieve(question, { k, metadata })
}

/** Closes models and files. */
export async function close(): Promise<void> {
  await (await opened).close()
}
`
}

function testText(expected: readonly Expectation[]): string {
  return `import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { close, retrieve } from './retriever.mts'

/** Questions of the experiment with the first chunks that it found. */
const expected: { question: string; chunks: string[] }[] = ${JSON.stringify(expected, null, 2)}

for (const { question, chunks } of expected)
  test(\`finds what the experiment found: \${question}\`, async () => {
    assert.deepEqual((await retrieve(question, chunks.length)).map(({ id }) => id), chunks)
  })

after(close)
`
}
