import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { readLogs } from '../../src/labels/folder.ts'
import { poolLines } from '../../src/labels/pool.ts'
import { reviewLines } from '../../src/labels/review.ts'
import { wellFormed } from '../../src/text/characters.ts'
import { passage, pool } from '../labels/pools.ts'
import { temporaryFolder } from '../temporary.ts'
import { launch, overflow, SCREENSHOTS } from './open.ts'
import { PAYLOADS } from './payloads.ts'

/** `npm run build` makes the command and the script of the pages. */
let browser: Browser
beforeAll(async () => {
  browser = await launch()
})
afterAll(() => browser?.close())

const HOSTILE =
  '<img src=x onerror="document.title=1"></p></li><script>document.title=2</script>{{x}} \u202e${y} harbour'
const QUESTIONS = 100
const PASSAGES = 50

/** 5,000 passages of 100 questions that two trials found in other orders. */
function writeLabels(): string {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'experiments'))
  mkdirSync(join(folder, 'labels'))
  const queries = Array.from({ length: QUESTIONS }, (_, query) => ({
    id: `q${query}`,
    text: `Which harbour silts up in year ${query}? <b>bold</b>`,
    passages: Array.from({ length: PASSAGES }, (_, at) =>
      passage(`d${query}-${at}`, `${HOSTILE} Passage ${at} of question ${query}.`, [
        at < 10 ? at + 1 : 0,
        at >= 5 && at < 15 ? at - 4 : 0,
      ]),
    ),
  }))
  const pooled = pool(queries, { measure: 'recall@10', k: 10 })
  writeFileSync(join(folder, 'labels', 'pool.jsonl'), poolLines(pooled))
  const items = ['Who dredges the harbour?', 'What is a tide bell?'].map((text, at) => ({
    id: `draft-${at}`,
    text,
    category: 'fact',
    answers: ['barges'],
    answerable: true,
    gold: [
      {
        document: 'a.md',
        title: 'Lomm',
        before: 'Before. ',
        text: `${HOSTILE} two barges`,
        after: ' After.',
      },
    ],
  }))
  const head = { dataset: 'docs', hash: 'h', questions: null, file: null }
  writeFileSync(
    join(folder, 'labels', 'review.jsonl'),
    reviewLines({ touchstone: 'review', format: 1, ...head, items }),
  )
  return folder
}

/** `touchstone view --labels` as a process, and its link. */
async function start(folder: string): Promise<{ server: ChildProcess; link: string }> {
  const command = join(import.meta.dirname, '../../bin/touchstone.js')
  const server = spawn(process.execPath, [command, 'view', '--labels', 'labels'], { cwd: folder })
  onTestFinished(() => void server.kill('SIGKILL'))
  const link = await new Promise<string>((resolve, failed) => {
    server.stdout.setEncoding('utf8').on('data', (text: string) => resolve(text.trim().split('\n')[0]))
    server.on('exit', (code) => failed(new Error(`ended with ${code}`)))
  })
  return { server, link }
}

async function openAs(link: string, name: string, button: string, complaints: string[]): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`))
  await page.goto(link)
  await page.fill('#as', name)
  await page.click(`button:has-text("${button}")`)
  return page
}

const done = async (page: Page) => Number(await page.locator('#done').textContent())
async function press(page: Page, key: string) {
  const stored = page.waitForResponse((response) => response.url().endsWith('/labels/act'))
  await page.keyboard.press(key)
  expect((await stored).status()).toBe(200)
  await page.waitForSelector('#work:not([data-busy])')
}
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
async function faults(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  return page.evaluate<string[]>(
    `axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.slice(0, 3).map(({ html, failureSummary }) => [id, html.slice(0, 150), failureSummary].join(': '))))`,
  )
}

test('two people label 5,000 hostile passages by keyboard, through a kill and a resume', async () => {
  const folder = writeLabels()
  const complaints: string[] = []
  const first = await start(folder)
  const ada = await openAs(first.link, 'Ada', 'Label passages', complaints)
  await ada.waitForSelector('.passages li')
  expect(await ada.locator('.passages li').count()).toBe(PASSAGES)
  expect(await ada.locator('mark').first().textContent()).toBe('harbour')
  for (const key of ['3', '0', '2', 's']) await press(ada, key)
  expect(await done(ada)).toBe(4)
  await press(ada, 'u')
  expect(await done(ada)).toBe(3)
  await ada.keyboard.press('c')
  await ada.keyboard.type('unclear: 0 or 3? s u n')
  await press(ada, 'Enter')
  expect(await ada.locator('.note').textContent()).toBe('unclear: 0 or 3? s u n')
  expect(await ada.locator('.decision').textContent()).toMatch(
    /3 of 5,000 passages have a label.*trial A against trial B/,
  )
  await ada.keyboard.press('c')
  await ada.keyboard.type(' never mind')
  await ada.keyboard.press('Escape')
  expect(await ada.locator('#comment').inputValue()).not.toContain('never mind')
  // A second tab of the same person appends to the same log.
  const tab = await ada.context().newPage()
  await tab.goto(ada.url().includes('known') ? ada.url() : `${ada.url()}&known=1`)
  await tab.waitForSelector('.passages li')
  await press(tab, '1')
  await press(ada, '1')
  const bob = await openAs(first.link, 'Bob', 'Label passages', complaints)
  await bob.waitForSelector('.passages li')
  // The same question first, in another order.
  expect(await bob.locator('h2').textContent()).toBe(await ada.locator('h2').textContent())
  expect(await bob.locator('.passages .text').allTextContents()).not.toEqual(
    await ada.locator('.passages .text').allTextContents(),
  )
  for (let at = 0; at < 12; at++) await press(bob, at % 3 === 0 ? '3' : '0')
  // No key is lost while the server is slow, and a key after an undo acts on the passage that it opens again.
  await bob.route('**/labels/act', async (route) => {
    await new Promise((over) => setTimeout(over, 200))
    await route.continue()
  })
  for (const key of ['3', '0', 'u', '2', 's', '1']) await bob.keyboard.press(key)
  await expect.poll(() => done(bob), { timeout: 20_000 }).toBe(16)
  expect(await bob.locator('.pick').allTextContents()).toEqual([
    ...Array.from({ length: 12 }, (_, at) => `grade ${at % 3 === 0 ? 3 : 0}`),
    ...['grade 3', 'grade 2', 'skipped', 'grade 1'],
    ...Array(PASSAGES - 16).fill('–'),
  ])
  await bob.unroute('**/labels/act')
  expect(await faults(bob)).toEqual([])
  expect(await overflow(bob)).toBe(0)
  await bob.screenshot({ path: join(SCREENSHOTS, 'labels.png') })

  first.server.kill('SIGKILL')
  await new Promise((ended) => first.server.once('exit', ended))
  const before = readLogs(join(folder, 'labels')).map(({ actions }) => actions.length)
  await bob.keyboard.press('3')
  await bob.waitForSelector('#lost:not([hidden])')
  expect(await bob.locator('#lost').textContent()).toMatch(/^Not stored\. The server does not answer/)
  const [log] = readdirSync(join(folder, 'labels')).filter((name) => name.startsWith('Bob'))
  writeFileSync(join(folder, 'labels', log), '{"id":"torn', { flag: 'a' })

  const second = await start(folder)
  const again = await openAs(second.link, 'Bob', 'Label passages', complaints)
  expect(await again.locator('main').textContent()).toContain('Continue only if you are this person')
  await again.click('a.button')
  await again.waitForSelector('.passages li')
  expect(await done(again)).toBe(16)
  await press(again, '2')
  const after = readLogs(join(folder, 'labels'))
  expect(after.map(({ actions }) => actions.length)).toEqual([before[0], before[1] + 1])
  expect(after.map(({ header, torn }) => [header.labeller, torn])).toEqual([
    ['Ada', 0],
    ['Bob', 1],
  ])
  expect(await again.title()).toBe('Label passages: Bob · Touchstone')
  // The browser itself says that the killed server did not answer.
  expect(complaints.filter((line) => !line.includes('ERR_CONNECTION_REFUSED'))).toEqual([])
})

/** Elements and attributes that no text may have made. */
const MADE =
  ':is(img, iframe, script:not([src]), style, object, embed, math, meta, base), [onload], [onerror], [onfocus], a[href^="javascript"]'

test(`${PAYLOADS.length} hostile texts as passages, titles, questions and parts of an address make nothing`, async () => {
  const texts = PAYLOADS.map(wellFormed)
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'experiments'))
  mkdirSync(join(folder, 'labels'))
  // Each question holds some of the texts as its own words and as passages.
  const some = 30
  const queries = Array.from({ length: Math.ceil(texts.length / some) }, (_, query) => ({
    id: `q${query}`,
    text: texts.slice(query * some, (query + 1) * some).join(' '),
    passages: texts
      .slice(query * some, (query + 1) * some)
      .map((text, at) => ({ ...passage(`d${query}-${at}`, text, [at + 1, 0]), title: text })),
  }))
  writeFileSync(join(folder, 'labels', 'pool.jsonl'), poolLines(pool(queries)))
  const complaints: string[] = []
  const { link } = await start(folder)
  const page = await openAs(link, 'Ada', 'Label passages', complaints)
  const seen = new Set<string>()
  for (const _ of queries) {
    await page.waitForSelector('.passages li')
    expect(await page.locator(`#main ${MADE}`).count()).toBe(0)
    expect(await overflow(page)).toBe(0)
    await press(page, '0')
    const question = (await page.locator('h2').first().textContent()) ?? ''
    seen.add(question)
    await page.keyboard.press('n')
    if (seen.size < queries.length)
      await expect.poll(() => page.locator('h2').first().textContent()).not.toBe(question)
  }
  expect(seen.size).toBe(queries.length)
  const made = await page.evaluate<string[]>(`(async () => {
    const made = []
    for (const text of ${JSON.stringify(texts)})
      for (const path of ['/labels?as=', '/labels/work?do=label&as=', '/labels/work?as=Ada&known=1&do=', '/labels/']) {
        const answer = await fetch(path + encodeURIComponent(text))
        const body = new DOMParser().parseFromString(await answer.text(), 'text/html').body
        if (body.querySelector(${JSON.stringify(MADE)}) || answer.status >= 500) made.push(path + text + ' ' + answer.status)
      }
    return made
  })()`)
  expect(made).toEqual([])
  expect(await page.evaluate('[window.broken, ({}).broken]')).toEqual([undefined, undefined])
  // The browser reports the status of an address that is refused.
  expect(complaints.filter((line) => !/status of 4\d\d /.test(line))).toEqual([])
}, 240_000)
