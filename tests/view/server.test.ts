import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { FORMAT } from '../../src/results/format.ts'
import { writeFixture } from '../report/fixture.ts'
import { sharedFolder, temporaryFolder } from '../temporary.ts'
import { serve } from './served.ts'

const whole = sharedFolder()
beforeAll(() => writeFixture(whole, { trials: 6, queries: 24, chunks: 60 }))

/** A folder with one finished experiment. */
function folderWith(...names: string[]): string {
  const folder = temporaryFolder()
  for (const name of names) cpSync(whole, join(folder, name), { recursive: true })
  return folder
}

describe('a request is answered', () => {
  test('with the token in the link, which becomes a cookie and leaves the address', async () => {
    const { server, get } = await serve(folderWith('a'))
    const { pathname, search } = new URL(server.link)
    const first = await get(`${pathname}${search}&q=a`, {})
    expect([first.status, first.headers.location]).toEqual([303, '/?q=a'])
    const [cookie] = first.headers['set-cookie'] ?? []
    expect(cookie).toMatch(/^touchstone-\d+=[\w-]{32}; Path=\/; HttpOnly; SameSite=Lax$/)
    const page = await get('/?q=a', { cookie: cookie.split(';')[0] })
    expect(page.status).toBe(200)
    expect(page.body).not.toContain(cookie.split(/[=;]/)[1])
  })

  test('never without the token or with another one', async () => {
    const { server, get } = await serve(folderWith('a'))
    for (const path of ['/', '/report/a', '/live/a', '/view.js', '/compare', '/?token=wrong', '/nothing']) {
      expect((await get(path, {})).status, path).toBe(403)
      expect((await get(path, { cookie: `touchstone-${server.port}=x` })).status, path).toBe(403)
    }
  })

  test('only for this host and this origin', async () => {
    const { server, cookie, get } = await serve(folderWith('a'))
    const here = `127.0.0.1:${server.port}`
    const statusOf = async (headers: Record<string, string>) =>
      (await get('/', { cookie, ...headers })).status
    expect(await statusOf({ host: `localhost:${server.port}` })).toBe(200)
    expect(await statusOf({ origin: `http://${here}` })).toBe(200)
    expect(await statusOf({ host: 'evil.example' })).toBe(403)
    expect(await statusOf({ host: `evil.example:${server.port}` })).toBe(403)
    expect(await statusOf({ host: '127.0.0.1:1' })).toBe(403)
    expect(await statusOf({ origin: 'http://evil.example' })).toBe(403)
    expect(await statusOf({ origin: 'null' })).toBe(403)
    // Another server on this machine has the same cookies.
    expect(await statusOf({ 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' })).toBe(403)
    expect(await statusOf({ 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' })).toBe(200)
  })

  test('if it is a GET', async () => {
    const { cookie, get } = await serve(folderWith('a'))
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']) {
      const { status, headers } = await get('/', { cookie }, method)
      expect([method, status, headers.allow]).toEqual([method, 405, 'GET'])
    }
  })

  test('under a strict policy, and is kept by nobody', async () => {
    const { get } = await serve(folderWith('a'))
    for (const path of ['/', '/report/a', '/live/a', '/view.js', '/view.css', '/no']) {
      const { headers } = await get(path)
      expect(headers['content-security-policy'], path).toMatch(
        /^default-src 'none'; script-src '(self|sha256-)/,
      )
      expect(headers['content-security-policy'], path).toMatch(/frame-ancestors 'none'$/)
      expect(headers['content-security-policy'], path).not.toMatch(/unsafe|\*/)
      expect(headers['cache-control'], path).toBe('no-store')
      expect(headers['referrer-policy'], path).toBe('no-referrer')
      expect(headers['x-content-type-options'], path).toBe('nosniff')
      expect(headers['cross-origin-resource-policy'], path).toBe('same-origin')
    }
  })
})

describe('nothing outside the folder is served', () => {
  const paths = [
    '/../secret/summary.json',
    '/report/../../secret',
    '/report/..%2f..%2fsecret',
    '/report/%2e%2e/secret',
    '/live/%2e%2e%2fsecret',
    '/report//etc/passwd',
    '/report/a/summary.json',
    '/report/a%00',
    '/report/%ff',
    '//evil.example/',
    '//',
    '/a/summary.json',
    '/compare?with=../secret&with=a',
  ]
  test('whatever the address', async () => {
    const folder = temporaryFolder()
    cpSync(whole, join(folder, 'secret'), { recursive: true })
    cpSync(whole, join(folder, 'experiments', 'a'), { recursive: true })
    const { get, errors } = await serve(join(folder, 'experiments'))
    for (const path of paths) {
      const { status, body } = await get(path)
      expect([200, 404, 422], path).toContain(status)
      expect(body, path).not.toContain('Touchstone report')
      if (status === 200) expect(body, path).toContain('<h1>Experiments</h1>')
    }
    expect(errors).toEqual([])
  })

  test('nor what a link leads to', async () => {
    const folder = temporaryFolder()
    cpSync(whole, join(folder, 'secret'), { recursive: true })
    const root = join(folder, 'experiments')
    for (const name of ['a', 'b', 'c']) cpSync(whole, join(root, name), { recursive: true })
    symlinkSync(join(folder, 'secret'), join(root, 'linked'))
    symlinkSync(join(folder, 'secret', 'texts.parquet'), join(root, 'b', 'extra'))
    symlinkSync(join(folder, 'secret', 'timings'), join(root, 'c', 'timings', 'more'))
    const { get } = await serve(root)
    expect((await get('/report/linked')).status).toBe(404)
    const { body } = await get('/')
    expect(body).not.toContain('linked')
    expect(body).toContain('holds a link (extra), which could lead out of the served folder')
    expect(body).toContain('holds a link (timings/more)')
    expect((await get('/report/b')).headers.location).toBe('/live/b')
  })

  test('nor a dataset folder that leads elsewhere', async () => {
    const folder = temporaryFolder()
    cpSync(whole, join(folder, 'secret'), { recursive: true })
    const root = join(folder, 'experiments')
    mkdirSync(join(root, 'grid'), { recursive: true })
    const plan = { format: FORMAT, hash: 'a'.repeat(64), datasets: ['../../secret'] }
    writeFileSync(join(root, 'grid', 'plan.json'), JSON.stringify(plan))
    writeFileSync(join(root, 'grid', 'datasets.json'), JSON.stringify({ format: FORMAT, datasets: [] }))
    const { get, errors } = await serve(root)
    const { status, body } = await get('/live/grid')
    expect([status, errors]).toEqual([200, []])
    expect(body).toContain('stopped')
  })
})

describe('the list', () => {
  test('is searched and sorted by its address', async () => {
    const { get } = await serve(folderWith('run10', 'run9', 'other'))
    const names = async (query: string) =>
      [...(await get(`/${query}`)).body.matchAll(/<bdi>([^<]*)<\/bdi><\/a><\/th>/g)].map(([, name]) => name)
    expect(await names('?sort=name')).toEqual(['other', 'run9', 'run10'])
    expect(await names('?sort=name&order=descending')).toEqual(['run10', 'run9', 'other'])
    expect(await names('?sort=name&q=RUN+fixture')).toEqual(['run9', 'run10'])
    expect(await names('?q=nothing')).toEqual([])
    expect(await names('?sort=__proto__')).toHaveLength(3)
  })

  test('notices a new experiment, and one that is gone', async () => {
    const folder = folderWith('a')
    const { follow } = await serve(folder)
    const mains = await follow('/', (sent) => {
      if (sent.length === 1) cpSync(whole, join(folder, 'b'), { recursive: true })
      return sent.at(-1)?.includes('<bdi>b</bdi></a>') === true && sent.at(-1)?.includes('damaged') === false
    })
    expect(mains[0]).not.toContain('<bdi>b</bdi></a>')
    expect(mains.at(-1)).toContain('2 experiments')
  })

  test('escapes hostile names and texts', async () => {
    const folder = temporaryFolder()
    const name = `<img src=x onerror=alert(1)>"'&`
    const taint = (text: string) => `${text}</script><script>alert(1)</script>"><svg onload=alert(1)>`
    writeFixture(join(folder, name), { trials: 6, queries: 24, chunks: 60, taint })
    writeFixture(join(folder, 'second'), { trials: 6, queries: 24, chunks: 60, taint })
    const { get, errors } = await serve(folder)
    const other = encodeURIComponent(name)
    for (const path of [
      '/',
      `/?q=${other}`,
      `/live/${other}`,
      `/compare?with=${other}&with=second`,
      `/compare?with=${other}`,
    ]) {
      const { body } = await get(path)
      expect(body, path).not.toMatch(/<img|<svg onload|<script>/)
    }
    const report = await get(`/report/${other}`)
    expect([report.status, errors]).toEqual([200, []])
    expect(report.body).not.toMatch(/<svg onload|<script>alert/)
  })
})

describe('comparison', () => {
  test('has paired statistics, the config and flipped queries with both rankings', async () => {
    const folder = temporaryFolder()
    writeFixture(join(folder, 'a'), { trials: 6, queries: 24, chunks: 60 })
    writeFixture(join(folder, 'b'), {
      trials: 6,
      queries: 24,
      chunks: 60,
      rankOf: (_, query) => 1 + (query % 9),
    })
    const { get, errors } = await serve(folder)
    const { status, body } = await get('/compare?with=a&with=b&measure=mrr@10')
    expect([status, errors]).toEqual([200, []])
    expect(body).toMatch(/<bdi>b<\/bdi> compared with <bdi>a<\/bdi>/)
    expect(body).toMatch(/before is better/)
    expect(body).toMatch(/queries of .* gained, .* lost/)
  })
})
