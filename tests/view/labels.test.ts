import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { poolLines } from '../../src/labels/pool.ts'
import { reviewLines } from '../../src/labels/review.ts'
import { processes } from '../../src/library/machine.ts'
import { startView } from '../../src/view/server.tsx'
import { passage, pool } from '../labels/pools.ts'
import { temporaryFolder } from '../temporary.ts'

const HOSTILE = '<img src=x onerror=alert(1)></script><script>alert(2)</script>'
const both = passage('d1', HOSTILE, [1, 1])
const onlyA = passage('d2', 'The harbour silts up.', [2, 0])
const POOL = pool([{ id: 'q1', text: `Where? ${HOSTILE}`, passages: [both, onlyA] }])

function labelsFolder(of = POOL): string {
  const folder = temporaryFolder({ 'pool.jsonl': poolLines(of) })
  mkdirSync(join(folder, 'experiments'))
  const item = { id: 'd-1', text: 'Who?', category: null, answers: [], answerable: true, gold: [] }
  const head = { dataset: 'docs', hash: 'h', questions: null, file: null }
  writeFileSync(
    join(folder, 'review.jsonl'),
    reviewLines({ touchstone: 'review', format: 1, ...head, items: [item] }),
  )
  return folder
}

async function serve(labels: string | undefined, folder = labels as string) {
  const errors: unknown[] = []
  const server = await startView({
    folder: join(folder, 'experiments'),
    shown: 'experiments',
    port: 0,
    processes,
    every: 20,
    ...(labels !== undefined && { labels }),
    failed: (error) => errors.push(error),
  })
  onTestFinished(server.close)
  const token = new URL(server.link).searchParams.get('token')
  const cookie = `touchstone-${server.port}=${token}`
  const ownHeaders = { cookie, origin: `http://127.0.0.1:${server.port}`, 'content-type': 'application/json' }
  const ask = (path: string, headers: Record<string, string> = ownHeaders, body?: string, method = 'POST') =>
    new Promise<{ status: number; body: string }>((got, failed) => {
      const how = body === undefined ? 'GET' : method
      const asked = request(
        { host: '127.0.0.1', port: server.port, path, method: how, headers },
        (response) => {
          let text = ''
          response.setEncoding('utf8').on('data', (more: string) => {
            text += more
          })
          response.on('end', () => got({ status: response.statusCode ?? 0, body: text }))
        },
      )
      asked.on('error', failed)
      asked.end(body)
    })
  let count = 0
  const act = (
    as: string,
    action: object,
    headers: Record<string, string> = ownHeaders,
    id = `act-${as}-${++count}`,
  ) => ask('/labels/act', headers, JSON.stringify({ as, id, act: action }))
  return { ask, act, own: ownHeaders, token, errors }
}

const grade = (value: number, passage = onlyA) => ({
  do: 'grade',
  query: 'q1',
  passage: passage.id,
  grade: value,
})

describe('an act', () => {
  test('is on the disk when it is answered, and the answer says how the decision stands', async () => {
    const folder = labelsFolder()
    const { ask, act, errors } = await serve(folder)
    const { status, body } = await act('ada', grade(3))
    expect(status).toBe(200)
    const [header, stored] = readFileSync(join(folder, 'ada.labels.jsonl'), 'utf8').trim().split('\n')
    expect(JSON.parse(header)).toMatchObject({ labeller: 'ada', kind: 'person' })
    expect(JSON.parse(stored)).toMatchObject({ do: 'grade', grade: 3 })
    const { question, label, last } = JSON.parse(body)
    expect(question.passages.find((passage: { id: string }) => passage.id === onlyA.id).grade).toBe(3)
    expect(label.decision.join()).toContain('No further label can put another trial before trial A by gain.')
    expect(label.questions).toEqual([
      { id: 'q1', text: POOL.queries[0].text, done: 1, total: 2, decisive: 0 },
    ])
    await act('ada', { do: 'undo', of: last })
    const after = JSON.parse((await ask('/labels/data?as=ada')).body)
    expect([after.last, after.label.questions[0].done]).toEqual([null, 0])
    expect(errors).toEqual([])
  })

  test('tells a labeller nothing of ranks, trials or others', async () => {
    const { ask, act } = await serve(labelsFolder())
    await act('bob', grade(0))
    const question = await ask('/labels/question?as=ada&id=q1')
    const data = await ask('/labels/data?as=ada')
    expect(question.body).not.toMatch(/rank|score|trial/)
    expect(JSON.parse(question.body).passages.map((passage: { grade: unknown }) => passage.grade)).toEqual([
      null,
      null,
    ])
    expect(data.body).not.toMatch(/"ranks"|bob/)
  })

  test('that is sent twice is stored once', async () => {
    const folder = labelsFolder()
    const { act } = await serve(folder)
    await act('ada', grade(3), undefined, 'one-and-the-same')
    await act('ada', grade(3), undefined, 'one-and-the-same')
    expect(readFileSync(join(folder, 'ada.labels.jsonl'), 'utf8').trim().split('\n')).toHaveLength(2)
  })

  test('on something that is not there is refused in words, and stores nothing', async () => {
    const folder = labelsFolder()
    const { act } = await serve(folder)
    for (const [as, action] of [
      ['ada', { ...grade(1), query: 'q9' }],
      ['ada', grade(7)],
      ['ada', { do: 'undo', of: 'nothing' }],
      ['ada', { do: 'destroy' }],
      ['../ada', grade(1)],
    ] as const)
      expect((await act(as, action)).status, JSON.stringify(action)).toBe(422)
    expect(() => readFileSync(join(folder, 'ada.labels.jsonl'))).toThrow()
  })
})

describe('a POST is answered', () => {
  test('only of a page of this server, as JSON, with the cookie, and not too large', async () => {
    const folder = labelsFolder()
    const { ask, act, own, token } = await serve(folder)
    const without = (name: string) =>
      Object.fromEntries(Object.entries(own).filter(([key]) => key !== name)) as Record<string, string>
    for (const headers of [
      without('cookie'),
      without('origin'),
      without('content-type'),
      { ...own, origin: 'http://evil.example' },
      { ...own, origin: 'null' },
      { ...own, host: 'evil.example' },
      { ...own, 'content-type': 'text/plain' },
      { ...own, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    ])
      expect((await act('ada', grade(1), headers)).status, JSON.stringify(headers)).toBe(403)
    const body = JSON.stringify({ as: 'ada', id: 'act-12345', act: grade(1) })
    expect((await ask(`/labels/act?token=${token}`, without('cookie'), body)).status).toBe(405)
    for (const path of ['/', '/labels', '/labels/work', '/report/a'])
      expect((await ask(path, own, body)).status, path).toBe(405)
    expect((await ask('/labels/act', own, body, 'PUT')).status).toBe(405)
    expect((await ask('/labels/act', own, 'x'.repeat(262_145))).status).toBe(413)
    expect((await ask('/labels/act', own, 'x'.repeat(262_144))).status).toBe(422)
    expect((await ask('/labels/act', own, '{')).status).toBe(422)
    const { body: first } = await ask('/labels/act', own, '{}')
    expect(first).toContain('the act cannot be read: Invalid input: expected string, received undefined')
    expect(() => readFileSync(join(folder, 'ada.labels.jsonl'))).toThrow()
  })

  test('by nobody whom it could reach, if the client leaves in the middle', async () => {
    const folder = labelsFolder()
    const { ask, own, errors } = await serve(folder)
    const { port } = new URL(own.origin)
    const asked = request({
      host: '127.0.0.1',
      port,
      path: '/labels/act',
      method: 'POST',
      headers: { ...own, 'content-length': 100 },
    })
    asked.on('error', () => {})
    await new Promise<void>((sent) => asked.write('{"as":', () => sent()))
    await ask('/labels')
    asked.destroy()
    // The server has seen the end of that connection when it answers on another one.
    for (let times = 0; times < 3; times++) expect((await ask('/labels')).status).toBe(200)
    expect(errors).toEqual([])
  })

  test('never without a folder of labels', async () => {
    const folder = labelsFolder()
    const { ask, act } = await serve(undefined, folder)
    expect((await act('ada', grade(1))).status).toBe(405)
    expect((await ask('/labels')).status).toBe(404)
  })
})

test('a changed pool is read again, and a damaged one is refused at once', async () => {
  const folder = labelsFolder()
  const { ask } = await serve(folder)
  const question = async () => JSON.parse((await ask('/labels/question?as=ada&id=q1')).body).text
  expect(await question()).toBe(POOL.queries[0].text)
  const changed = pool([{ id: 'q1', text: 'Where does it silt up?', passages: [both, onlyA] }])
  writeFileSync(join(folder, 'pool.jsonl'), poolLines(changed))
  expect(await question()).toBe('Where does it silt up?')
  writeFileSync(join(folder, 'pool.jsonl'), '{')
  await expect(serve(folder)).rejects.toThrow('pool.jsonl')
})

test('pages name labellers and escape what corpora hold', async () => {
  const { ask, act } = await serve(labelsFolder())
  await act('ada', grade(3))
  const home = await ask('/labels')
  expect(home.body).toContain('Labeller ada: 1 label.')
  const answer = await ask('/labels/work?as=ada&do=label')
  expect(answer.body).toContain('Continue only if you are this person')
  expect((await ask('/labels/work?as=Ada')).body).toContain('too like &quot;ada&quot;')
  const work = await ask('/labels/work?as=ada&do=label&known=1')
  expect(work.body).toContain('<script src="/label.js" defer>')
  for (const { body } of [home, answer, work]) expect(body).not.toMatch(/<img|<script>/)
})
