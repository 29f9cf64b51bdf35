import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { recordProgress } from '../../src/experiment/progress-file.ts'
import { processes } from '../../src/library/machine.ts'
import { wellFormed } from '../../src/text/characters.ts'
import { startView } from '../../src/view/server.tsx'
import { runConfig, runOptions, writeConfig, writeTowns } from '../experiment/experiments.ts'
import { finish, RUN, start, until, wholeParts, writeExperiment } from '../experiment/killing.ts'
import { writeFixture } from '../report/fixture.ts'
import { sharedFolder, temporaryFolder } from '../temporary.ts'
import { launch, overflow, SCREENSHOTS } from './open.ts'
import { hostile, PAYLOADS } from './payloads.ts'

/** `npm run build` makes the script of the pages. */
let browser: Browser
const folder = sharedFolder()
/** Served folder with experiments in every state. */
const root = join(folder, 'experiments')

beforeAll(async () => {
  writeFixture(join(root, 'baseline'), { trials: 9, queries: 40, chunks: 80 })
  writeFixture(join(root, 'chunks-of-200'), {
    trials: 9,
    queries: 40,
    chunks: 80,
    rankOf: (t, q) => 1 + ((7 * q + t) % 23),
  })
  cpSync(join(root, 'baseline'), join(root, 'damaged-disk'), { recursive: true })
  truncateSync(join(root, 'damaged-disk', 'gold.parquet'), 40)
  writeTowns(join(folder, 'towns'))
  const stop = new AbortController()
  const progress = (label: string, done: number) => void (label === 'shards' && done > 1 && stop.abort())
  await runConfig(
    writeConfig(folder, '[naive, bm25, {hybrid: {grid: {alpha: [0.3, 0.7]}}}]'),
    join(folder, 'store'),
    runOptions(join(root, 'stopped-grid'), { signal: stop.signal, progress }),
  )
  browser = await launch()
})

afterAll(() => browser?.close())

interface Size {
  readonly width?: number
  readonly height?: number
  readonly dark?: boolean
  readonly javaScriptEnabled?: boolean
}

/** A server until the test ends, and pages that begin with its link. */
async function serve(served: string) {
  const { link, close } = await startView({
    folder: served,
    shown: 'experiments',
    port: 0,
    processes,
    every: 100,
    failed: (error) => complaints.push(String(error)),
  })
  onTestFinished(close)
  const complaints: string[] = []
  const open = async (path = '', { width = 1440, height = 900, dark = false, ...more }: Size = {}) => {
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: dark ? 'dark' : 'light',
      ...more,
    })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`))
    page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`))
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== new URL(link).origin && !/^(data|blob):/.test(request.url()))
        complaints.push(`request: ${request.url()}`)
    })
    await page.goto(link)
    expect(new URL(page.url()).search).toBe('')
    if (path !== '') await page.goto(new URL(path, link).href)
    return page
  }
  return { open, complaints }
}

const names = (page: Page) => page.locator('.experiments th[scope="row"] bdi').allTextContents()

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

async function faults(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  return page.evaluate<string[]>(
    `axe.run().then(({ violations }) => violations.flatMap(({ id, impact, nodes }) =>
      nodes.map(({ html, failureSummary }) => [id, impact, html.slice(0, 200), failureSummary].join(': '))))`,
  )
}

describe.each([
  ['wide light', { width: 1440, height: 900, dark: false }],
  ['wide dark', { width: 1440, height: 900, dark: true }],
  ['narrow light', { width: 390, height: 844, dark: false }],
  ['narrow dark', { width: 390, height: 844, dark: true }],
] as const)('every page, %s', (name, size) => {
  test('fits, has an empty console, and axe finds no fault', async () => {
    const recorder = recordProgress(join(root, 'asking-models'), {
      experiment: 'asking-models',
      datasets: ['towns'],
      budget: { dollars: 20 },
      processes,
      spent: () => ({
        dollars: 3.5,
        unpriced: false,
        tokens: 812_000,
        requests: 1040,
        failed: 2,
        failure: 'HTTP 503',
      }),
    })
    onTestFinished(recorder.close)
    recorder.progress('embedding lsa', 0, 900)
    recorder.progress('embedding lsa', 900, 900)
    recorder.progress('completions', 120, 400)
    recorder.progress('completions', 240, 400)
    const { open, complaints } = await serve(root)
    const pages = {
      home: '/',
      empty: '/?q=nothing+of+that+name',
      stopped: '/live/stopped-grid',
      running: '/live/asking-models',
      damaged: '/live/damaged-disk',
      compare: '/compare?with=baseline&with=chunks-of-200',
      refused: '/compare?with=baseline',
      missing: '/live/none',
    }
    const page = await open('', size)
    for (const [title, path] of Object.entries(pages)) {
      await page.goto(new URL(path, page.url()).href)
      for (const summary of (await page.locator('details summary').all()).slice(0, 2)) await summary.click()
      expect([title, await overflow(page)]).toEqual([title, 0])
      expect([title, await faults(page)]).toEqual([title, []])
      await page.screenshot({
        path: join(SCREENSHOTS, `view-${title}-${name.replace(' ', '-')}.png`),
        fullPage: true,
      })
    }
    // Chromium reports the status of these two pages.
    expect(complaints.filter((line) => !/status of (404|422)/.test(line))).toEqual([])
  })
})

test('without JavaScript the list is plain HTML', async () => {
  const { open, complaints } = await serve(root)
  const page = await open('', { javaScriptEnabled: false })
  await page.locator('#search').fill('stopped')
  await page.locator('#search-button').click()
  expect(await names(page)).toEqual(['stopped-grid'])
  await page.getByRole('link', { name: 'stopped-grid' }).click()
  expect(await page.locator('#live-board tbody tr').count()).toBe(4)
  expect(complaints).toEqual([])
})

test('a grid that runs, is killed and resumed is followed by two pages, which change nothing', async () => {
  const folder = temporaryFolder()
  writeExperiment(folder)
  const hold = join(folder, 'hold')
  const first = start(folder, RUN, { WAIT: '1000', HOLD: hold })
  await until(() => wholeParts(folder).length > 0, 'the first part')
  writeFileSync(hold, '')
  const { open, complaints } = await serve(join(folder, 'experiments'))
  const pages = [
    await open('/live/towns'),
    await open('/live/towns', { width: 390, height: 844, dark: true }),
  ]
  const home = await open()
  const states = () =>
    Promise.all([...pages, home].map((page) => page.locator('.state').first().textContent()))
  const shards = (page: Page) => page.locator('progress').first().getAttribute('value').then(Number)
  expect(await states()).toEqual(['running', 'running', 'running'])
  const before = await shards(pages[0])
  rmSync(hold)
  await expect.poll(() => shards(pages[0]), { timeout: 60_000 }).toBeGreaterThan(before)
  first.process.kill('SIGKILL')
  await first.ended
  await expect.poll(states, { timeout: 20_000 }).toEqual(['stopped', 'stopped', 'stopped'])
  expect(await pages[0].locator('#live-board tbody tr').count()).toBeGreaterThan(4)
  await pages[1].close()
  const resumed = finish(folder)
  await expect
    .poll(async () => (await pages[0].locator('.state').first().textContent()) ?? '', { timeout: 60_000 })
    .toMatch(/running|finished/)
  const left = await resumed
  expect(left).toBeLessThan(13)
  await expect
    .poll(() => pages[0].locator('#state').textContent(), { timeout: 20_000 })
    .toContain('The experiment is finished.')
  await pages[0].getByRole('link', { name: 'Open the report' }).click()
  await pages[0].waitForSelector('html[data-ready]')
  await expect.poll(() => home.locator('.state').textContent()).toBe('finished')
  expect(complaints).toEqual([])
}, 240_000)

test('hostile texts in folders, trials, results and addresses do nothing on any page', async () => {
  const served = join(folder, 'hostile')
  const [first, second] = [hostile(), hostile()]
  // A folder's name has no slash, no NUL and at most 255 bytes.
  const own = `one <img src=x onerror="window.broken=1"> \u202e' onfocus=x {{1}} __proto__`
  const options = { trials: 40, queries: 24, chunks: 80 }
  writeFixture(join(served, own), { ...options, taint: first })
  writeFixture(join(served, 'two'), { ...options, taint: second, rankOf: (t, q) => 1 + ((7 * q + t) % 23) })
  const stop = new AbortController()
  const progress = (label: string, done: number) => void (label === 'shards' && done > 0 && stop.abort())
  const trial = JSON.stringify(`mine <svg onload="window.broken=1"> </script>`)
  await runConfig(
    writeConfig(folder, `[{bm25: {}, name: ${trial}}, naive]`),
    join(folder, 'store'),
    runOptions(join(served, 'stopped'), { signal: stop.signal, progress }),
  )
  const { open, complaints } = await serve(served)
  const entry = encodeURIComponent(own)
  for (const width of [1440, 390]) {
    const page = await open('', { width })
    for (const path of [
      '/',
      `/?q=${encodeURIComponent(wellFormed(PAYLOADS.join(' ')).slice(0, 2000))}`,
      '/live/stopped',
      `/live/${entry}`,
      `/compare?with=${entry}&with=two`,
      `/report/${entry}`,
    ]) {
      await page.goto(new URL(path, page.url()).href)
      for (const summary of (await page.locator('details.flipped summary').all()).slice(0, 3))
        await summary.click()
      expect([path, await overflow(page)]).toEqual([path, 0])
      expect([path, await page.evaluate('window.broken')]).toEqual([path, undefined])
      expect(await page.locator('img, iframe, svg[onload], body style, a[href^="javascript"]').count()).toBe(
        0,
      )
    }
    await page.context().close()
  }
  // Each text in each part of an address: the answer is a page that has it as text.
  const page = await open('')
  const made = await page.evaluate<string[]>(`(async () => {
    const made = []
    for (const text of ${JSON.stringify(PAYLOADS.map(wellFormed))})
      for (const path of ['/?q=', '/?sort=', '/?state=', '/compare?with=two&with=', '/compare?with=two&measure=', '/report/', '/live/']) {
        const answer = await fetch(path + encodeURIComponent(text))
        const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
        const found = page.querySelector('body :is(img, iframe, script:not([src]), style, object, embed, math, meta, base), [onload], [onerror], [onfocus], a[href^="javascript"]')
        if (found || answer.status >= 500) made.push(path + text + ' ' + answer.status)
      }
    return made
  })()`)
  expect(made).toEqual([])
  expect(await page.evaluate('window.broken')).toBeUndefined()
  // An address of no experiment is refused, and the browser says so.
  expect(complaints.filter((complaint) => !/status of 4\d\d /.test(complaint))).toEqual([])
  await page.context().close()
}, 240_000)
