import { join, relative } from 'node:path'
import { UserError } from '../errors.ts'
import { readPlan } from '../experiment/plan/plan.ts'
import { readResults } from '../results/read.ts'
import { readWhole } from '../results/sample.ts'
import { writeText } from '../runs/write.ts'
import { requireOutputFolder } from '../store/output.ts'
import { configOf, trialNamed } from './trial-config.ts'

/** Programs that `export --to` writes around a trial. */
export const CODE_FORMATS = ['code', 'code-langchain', 'code-http'] as const
export type CodeFormat = (typeof CODE_FORMATS)[number]

/** Questions of the written test. */
const TESTED = 3
/** Chunks of each that it expects. */
const EXPECTED = 5

interface ExportedCode {
  readonly trial: string
  /** Names of the written files. */
  readonly files: readonly string[]
}

/**
 * Writes a program that retrieves with one trial of a finished experiment, over its prepared store: a module, its config, and a
 * test that expects the rankings of the experiment. Throws a UserError if the experiment stored no rankings of the trial.
 */
export async function exportCode(
  folder: string,
  name: string,
  format: CodeFormat,
  out: string,
): Promise<ExportedCode> {
  const summary = readWhole(folder)
  const trial = trialNamed(folder, summary, name)
  if (!trial.finalist)
    throw new UserError({
      file: folder,
      message: `stored no rankings of \`${trial.name}\`, which the written test needs; run the config with --only ${JSON.stringify(trial.name)}`,
    })
  requireOutputFolder(out)
  const plan = readPlan(folder)
  const store = relative(out, plan.store)
  const files = {
    'config.yaml': await configOf(plan, trial, out),
    'retriever.mts': moduleText(format, store),
    'retriever.test.mts': testText(format, await expectations(folder, summary.trials.indexOf(trial))),
  }
  for (const [file, text] of Object.entries(files)) writeText(join(out, file), text)
  return { trial: trial.name, files: Object.keys(files) }
}

interface Expectation {
  readonly question: string
  readonly chunks: readonly string[]
}

/** First chunks of the first questions, as the experiment ranked them. */
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

function moduleText(format: CodeFormat, store: string): string {
  const open = `/** The retriever that was measured, over the prepared store; opened once. */
const opened = createRetriever(join(here, 'config.yaml'), { store: join(here, ${JSON.stringify(store)}) })`
  const head = `import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
`
  const here = `const here = dirname(fileURLToPath(import.meta.url))
`
  if (format === 'code')
    return `${head}import { createRetriever, type RetrievedChunk, type RetrieveOptions } from 'touchstone'

${here}
${open}

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
  if (format === 'code-langchain')
    return `${head}import { Document } from '@langchain/core/documents'
import { BaseRetriever } from '@langchain/core/retrievers'
import { createRetriever } from 'touchstone'

${here}
${open}

/** Retriever for chains; \`k\` chunks for a question, best first. */
export class TouchstoneRetriever extends BaseRetriever {
  lc_namespace = ['touchstone']
  k: number

  constructor({ k = 5 }: { k?: number } = {}) {
    super()
    this.k = k
  }

  async _getRelevantDocuments(question: string): Promise<Document[]> {
    const chunks = await (await opened).retrieve(question, { k: this.k })
    return chunks.map(
      ({ id, document, title, section, text, score, metadata }) =>
        new Document({ id, pageContent: text, metadata: { ...metadata, document, title, section, score } }),
    )
  }
}

/** Closes models and files. */
export async function close(): Promise<void> {
  await (await opened).close()
}
`
  return `${head}import { createServer, type IncomingMessage, type Server } from 'node:http'
import { createRetriever } from 'touchstone'

${here}
${open}

/** Longest request body, in bytes. */
const LONGEST = 100_000

/**
 * Server of \`POST /retrieve\` with \`{"question": "...", "k": 5}\`, and \`metadata\` of the question if a filter of the trial
 * reads it; gives \`{"chunks": [...]}\`, best first. It knows no users: keep it on this machine, or behind a server that does.
 */
export function createRetrievalServer(): Server {
  return createServer(async (request, response) => {
    const send = (status: number, value: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' })
      response.end(JSON.stringify(value))
    }
    if (request.method !== 'POST' || request.url !== '/retrieve') return send(404, { error: 'POST /retrieve' })
    try {
      const body = await bodyOf(request)
      if (body === null) return send(413, { error: \`the body is longer than \${LONGEST} bytes\` })
      const { question, k = 5, metadata = {} } = parsed(body)
      if (typeof question !== 'string' || question.trim() === '')
        return send(400, { error: 'question must be a text' })
      if (question.length > 10_000) return send(400, { error: 'question must have at most 10000 characters' })
      if (!Number.isInteger(k) || Number(k) < 1 || Number(k) > 100)
        return send(400, { error: 'k must be a whole number from 1 to 100' })
      if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata))
        return send(400, { error: 'metadata must be an object' })
      send(200, { chunks: await (await opened).retrieve(question, { k: Number(k), metadata: { ...metadata } }) })
    } catch (error) {
      console.error(error)
      send(500, { error: 'the question could not be answered' })
    }
  })
}

/** The body; null if it is too long. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request) {
    bytes += part.length
    if (bytes <= LONGEST) parts.push(part)
  }
  return bytes > LONGEST ? null : Buffer.concat(parts).toString('utf8')
}

function parsed(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** Closes models and files. */
export async function close(): Promise<void> {
  await (await opened).close()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = createRetrievalServer()
  server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => {
    console.log(\`POST http://127.0.0.1:\${(server.address() as { port: number }).port}/retrieve\`)
  })
}
`
}

/** Imports of the written test, its set-up, the ids that it finds for a question, and its end. */
const TESTS: Readonly<Record<CodeFormat, { use: string; begin: string; find: string; end: string }>> = {
  code: {
    use: 'close, retrieve',
    begin: '',
    find: '(await retrieve(question, chunks.length)).map(({ id }) => id)',
    end: '',
  },
  'code-langchain': {
    use: 'close, TouchstoneRetriever',
    begin: '',
    find: '(await new TouchstoneRetriever({ k: chunks.length }).invoke(question)).map(({ id }) => id)',
    end: '',
  },
  'code-http': {
    use: 'close, createRetrievalServer',
    begin: `
const server = createRetrievalServer()
const port = new Promise<number>((resolve) => {
  server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
})

async function post(body: string): Promise<{ status: number; found: { chunks: { id: string }[] } }> {
  const response = await fetch(\`http://127.0.0.1:\${await port}/retrieve\`, { method: 'POST', body })
  return { status: response.status, found: (await response.json()) as { chunks: { id: string }[] } }
}

test('a request without a question is refused', async () => {
  assert.equal((await post('{')).status, 400)
  assert.equal((await post('{"question": "x", "k": 0}')).status, 400)
})
`,
    find: '(await post(JSON.stringify({ question, k: chunks.length }))).found.chunks.map(({ id }) => id)',
    end: '\n  server.close()',
  },
}

function testText(format: CodeFormat, expected: readonly Expectation[]): string {
  const { use, begin, find, end } = TESTS[format]
  return `import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ${use} } from './retriever.mts'

/** Questions of the experiment with the first chunks that it found. */
const expected: { question: string; chunks: string[] }[] = ${JSON.stringify(expected, null, 2)}
${begin}
for (const { question, chunks } of expected)
  test(\`finds what the experiment found: \${question}\`, async () => {
    assert.deepEqual(${find}, chunks)
  })

after(async () => {
  await close()${end}
})
`
}
