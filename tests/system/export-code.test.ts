import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { PAYLOADS } from '../browser/payloads.ts'
import { setUp } from '../cli/set-up.ts'

const root = resolve(import.meta.dirname, '../..')

test.each(['code', 'code-langchain', 'code-http'])(
  '`export --to %s` writes a program that passes its own test',
  async (to) => {
    const { folder, call } = setUp('dataset: towns\nmeasures: [recall@5]\ntrials: [bm25, naive]\n')
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(root, join(folder, 'node_modules', 'touchstone'))
    symlinkSync(join(root, 'node_modules', '@langchain'), join(folder, 'node_modules', '@langchain'))
    await call('run', 'a.yaml', '--workers', '1')
    const written = await call('export', 'experiments/a', '--trial', 'bm25', '--to', to, '-o', 'mine')
    expect(written).toMatchObject({ code: 0, err: '' })
    expect(written.out).toContain('mine: config.yaml, retriever.mts, retriever.test.mts, for bm25')
    const tsx = join(root, 'node_modules/tsx/dist/loader.mjs')
    const test = join(folder, 'mine/retriever.test.mts')
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', tsx, '--test', test], {
      cwd: folder,
    })
    expect(stdout).toMatch(to === 'code-http' ? /# pass 4\n# fail 0/ : /# pass 3\n# fail 0/)
    // The written types hold.
    const tsc = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--skipLibCheck']
    const more = [
      '--allowImportingTsExtensions',
      '--types',
      'node',
      '--typeRoots',
      join(root, 'node_modules/@types'),
    ]
    await promisify(execFile)(
      process.execPath,
      [join(root, 'node_modules/typescript/bin/tsc'), ...tsc, ...more, test],
      {
        cwd: folder,
      },
    )
    expect(readFileSync(join(folder, 'mine/config.yaml'), 'utf8')).not.toContain(folder)
    // A folder with files is nobody's to overwrite.
    expect(await call('export', 'experiments/a', '--trial', 'bm25', '--to', to, '-o', 'mine')).toMatchObject({
      code: 2,
    })
  },
  180_000,
)

test('`export --to code` asks for a trial that there is', async () => {
  const { call } = setUp('dataset: towns\nmeasures: [recall@5]\ntrials: [bm25, naive]\n')
  await call('run', 'a.yaml', '--workers', '1')
  const code = (...argv: string[]) => call('export', 'experiments/a', '--to', 'code', '-o', 'mine', ...argv)
  expect((await code()).err).toContain('name the trial that the program retrieves with: --trial NAME')
  expect((await code('--trial', 'bm26')).err).toContain('has no trial `bm26` (did you mean "bm25"?)')
})

test(`the HTTP program answers ${PAYLOADS.length} hostile questions over hostile passages with JSON alone`, async () => {
  const lines = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  const { folder, call } = setUp('dataset: hostile\nmeasures: [recall@5]\ntrials: [bm25]\n', {
    'hostile/corpus.jsonl': lines(
      PAYLOADS.map((text, at) => ({ _id: `d${at}`, title: text, text: `word${at} begins. ${text}` })),
    ),
    'hostile/queries.jsonl': lines(
      PAYLOADS.map((text, at) => ({ _id: `q${at}`, text: `word${at} ${text}` })),
    ),
    'hostile/qrels/test.tsv': `query-id\tcorpus-id\tscore\n${PAYLOADS.map((_, at) => `q${at}\td${at}\t1\n`).join('')}`,
  })
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules', 'touchstone'))
  expect(await call('run', 'a.yaml', '--workers', '1')).toMatchObject({ code: 0 })
  const exported = ['export', 'experiments/a', '--trial', 'bm25', '--to', 'code-http', '-o', 'mine']
  expect(await call(...exported)).toMatchObject({ code: 0 })

  const program = spawn(
    process.execPath,
    ['--import', join(root, 'node_modules/tsx/dist/loader.mjs'), join(folder, 'mine/retriever.mts')],
    { cwd: folder, env: { ...process.env, PORT: '0' } },
  )
  let complaints = ''
  program.stderr.on('data', (data) => {
    complaints += data
  })
  onTestFinished(() => {
    program.kill()
  })
  const [said] = await Promise.race([once(program.stdout, 'data'), once(program, 'exit')])
  const [, url = ''] = /^POST (http:\/\/127\.0\.0\.1:\d+\/retrieve)\n$/.exec(String(said)) ?? []
  expect(url, complaints).not.toBe('')
  const post = async (body: string, address = url, method = 'POST') => {
    const response = await fetch(address, { method, ...(method === 'POST' && { body }) })
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    return { status: response.status, value: JSON.parse(await response.text()) }
  }
  const UNASKED = { status: 400, value: { error: 'question must be a text' } }
  for (const [at, text] of PAYLOADS.entries()) {
    const { status, value } = await post(JSON.stringify({ question: `word${at} ${text}`, k: 3 }))
    expect([text, status, value.chunks?.[0]?.document]).toEqual([text, 200, `d${at}`])
    expect(value.chunks[0].text).toContain(`word${at} begins.`)
    // The text alone, as a body that is no request, as a key and as an address.
    const asked = await post(JSON.stringify({ question: text }))
    expect([text, asked.status]).toEqual([text, text.trim() === '' ? 400 : 200])
    expect(await post(text)).toEqual(UNASKED)
    expect(await post(`{${JSON.stringify(text)}: "word1", "k": 5}`)).toEqual(UNASKED)
    expect(await post(JSON.stringify({ question: 'word1', k: text }))).toMatchObject({ status: 400 })
    const elsewhere = new URL(`/${encodeURIComponent(Buffer.from(text).toString())}`, url).href
    expect(await post('', elsewhere)).toEqual({ status: 404, value: { error: 'POST /retrieve' } })
  }
  expect(await post('', url, 'GET')).toMatchObject({ status: 404 })
  const long = (bytes: number) => JSON.stringify({ question: 'word1 '.padEnd(bytes - 15, 'x') })
  expect(await post(long(10_015))).toMatchObject({ status: 200 })
  for (const bytes of [10_016, 100_000])
    expect(await post(long(bytes))).toEqual({
      status: 400,
      value: { error: 'question must have at most 10000 characters' },
    })
  for (const [metadata, status] of [
    [{ lang: 'en' }, 200],
    ['en', 400],
    [null, 400],
    [['en'], 400],
  ])
    expect(await post(JSON.stringify({ question: 'word1', metadata }))).toMatchObject({ status })
  expect(await post(long(100_001))).toEqual({
    status: 413,
    value: { error: 'the body is longer than 100000 bytes' },
  })
  expect(await post(long(20_000_000))).toMatchObject({ status: 413 })
  // It goes on after all of that, and complained of nothing.
  expect(await post('{"question": "word7"}')).toMatchObject({ value: { chunks: [{ document: 'd7' }] } })
  expect([complaints, program.exitCode]).toEqual(['', null])
}, 180_000)
