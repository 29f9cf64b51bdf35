import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeReport } from '../../src/report/write.ts'
import { writeFixture } from '../report/fixture.ts'
import { sharedFolder } from '../temporary.ts'
import { launch, overflow, SCREENSHOTS, showView } from './open.ts'
import { opened } from './opened.ts'

let browser: Browser
const folder = sharedFolder()
let file: string

beforeAll(async () => {
  writeFixture(join(folder, 'fixture'))
  file = await writeReport(join(folder, 'fixture'), join(folder, 'fixture.html'))
  browser = await launch()
})

afterAll(async () => {
  await browser?.close()
})

const CHARTS = ['verdict', 'cost-count', 'grid', 'forest', 'differences', 'categories', 'funnel']

/** Marks that a chart drew: its points, bars and cells, not axes. */
function marks(page: Page, chart: string): Promise<number> {
  return page
    .locator(`[data-chart="${chart}"] svg :is(.mark-symbol, .mark-rect).role-mark > path`)
    .evaluateAll((paths) => paths.filter((path) => (path.getAttribute('d') ?? '') !== '').length)
}

describe.each([
  ['light', { width: 1280, dark: false }],
  ['dark', { width: 1280, dark: true }],
  ['phone', { width: 390, height: 844, dark: false }],
] as const)('the report, %s', (name, options) => {
  test('draws every chart, complains of nothing, asks for nothing, and needs no sideways scrolling', async () => {
    const page = await opened(browser, file, options)
    for (const chart of CHARTS) expect([chart, await marks(page, chart)], chart).not.toEqual([chart, 0])
    expect(await marks(page, 'grid')).toBe(9)
    for (const view of await page.locator('nav a').allTextContents()) {
      await showView(page, view)
      if (view === 'Queries') {
        await page.locator('#query-list tr[data-query]').nth(2).click()
        await page.locator('#query h3').waitFor()
      }
      expect([view, await overflow(page)]).toEqual([view, 0])
      await page.screenshot({ path: join(SCREENSHOTS, `${view}-${name}.png`), fullPage: true })
    }
  })
})

describe('a report says nothing to the console', () => {
  test.each([
    ['without a budget of tokens', { measures: ['recall@5', 'mrr@10'] }],
    ['of one trial', { trials: 1, measures: ['recall@5'] }],
    ['of tuned strategies', { folds: true }],
    ['of a large grid', { trials: 80, queries: 20 }],
  ] as const)('%s', async (name, options) => {
    const at = join(folder, name)
    writeFixture(at, options)
    const page = await opened(browser, await writeReport(at, `${at}.html`))
    // Drawn once more, narrow.
    await page.setViewportSize({ width: 390, height: 844 })
    await page.waitForTimeout(500)
  })
})

describe('axe finds no fault with it', () => {
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

  test.each([
    ['light', { dark: false }],
    ['dark', { dark: true }],
    ['phone', { width: 390, height: 844 }],
  ])('%s', async (_, options) => {
    const page = await opened(browser, file, options)
    await page.evaluate(axe)
    for (const view of await page.locator('nav a').allTextContents()) {
      await showView(page, view)
      if (view === 'Queries') {
        await page.locator('#query-list tr[data-query]').nth(2).click()
        await page.locator('#query h3').waitFor()
      }
      for (const button of await page.locator('[data-unfold]:visible').all()) await button.click()
      const violations = await page.evaluate<string[]>(
        `axe.run().then(({ violations }) => violations.flatMap(({ id, impact, nodes }) =>
          nodes.map(({ html, failureSummary }) => [id, impact, html.slice(0, 200), failureSummary].join(': '))))`,
      )
      expect([view, violations]).toEqual([view, []])
    }
  })
})

test('a link restores view, sorting, filters, pinned rows and the open query; back undoes', async () => {
  const page = await opened(browser, file)
  await showView(page, 'Leaderboard')
  await page.locator('#board-table th button', { hasText: 'mrr@10' }).click()
  await page.locator('#board-strategy').selectOption('hybrid')
  const names = () => page.locator('#board-table tbody bdi').allTextContents()
  const hybrids = await names()
  expect(hybrids.length).toBeGreaterThan(1)
  for (const name of hybrids) expect(name).toMatch(/^hybrid/)
  // A pinned row stands first.
  for (let pin = 0; pin < 2; pin++) await page.locator('#board-table [aria-pressed="false"]').first().click()
  await page.locator('#board-compare').click()
  await page.locator('#query-list tr[data-query="5"]').click()
  await page.locator('#query h3').waitFor()
  const link = await page.evaluate<string>('location.hash')
  const title = await page.locator('#query h3').textContent()
  const again = await opened(browser, file, { hash: link })
  await again.locator('#query h3').waitFor()
  expect(await again.locator('#query h3').textContent()).toBe(title)
  expect(await again.locator('#queries').isVisible()).toBe(true)
  expect(await again.locator('#verdict').isVisible()).toBe(false)
  await showView(again, 'Leaderboard')
  expect(new Set(await again.locator('#board-table tbody bdi').allTextContents())).toEqual(new Set(hybrids))
  expect(await again.locator('#board-table th[aria-sort]').textContent()).toBe('mrr@10')
  expect(await again.locator('#board-table [aria-pressed="true"]').count()).toBe(2)
  await again.goBack()
  expect(await again.locator('#queries').isVisible()).toBe(true)
})

test('columns are chosen, and the shown rows copied or saved', async () => {
  const page = await opened(browser, file, { hash: '#leaderboard' })
  const heads = () => page.locator('#board-table thead th').allTextContents()
  expect(await heads()).toContain('mrr@10')
  await page.locator('.chooser summary').click()
  await page.locator('.chooser label', { hasText: 'mrr@10' }).click()
  await page.locator('.chooser label', { hasText: 'p95 ms' }).click()
  expect(await heads()).not.toContain('mrr@10')
  expect(await heads()).toContain('p95 ms')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.locator('#board-text').fill('hybrid')
  await page.locator('[data-copy="Markdown"]').click()
  const count = page.locator('#board-count')
  await expect.poll(() => count.textContent()).toMatch(/^Copied \d+ rows as Markdown\.$/)
  const shown = (await page.locator('#board-table tbody th bdi').allTextContents()).sort()
  const text = await page.evaluate<string>('navigator.clipboard.readText()')
  expect(text.trim().split('\n')).toHaveLength(2 + shown.length)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('[data-csv-of-table="board"]').click(),
  ])
  const csv = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n')
  expect(csv).toHaveLength(1 + shown.length)
  expect(csv[0]).not.toContain('mrr@10')
  for (const name of shown) expect(csv.some((line) => line.includes(name))).toBe(true)
})

test('without a script the page is one document with its tables', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, offline: true })
  const page = await context.newPage()
  await page.goto(`file://${file}`)
  for (const section of ['#verdict', '#board-table', '#comparison', '#lost', '#provenance'])
    expect(await page.locator(section).isVisible()).toBe(true)
  await context.close()
})

test('the queries work by keyboard: walk, open, search, filter', async () => {
  const page = await opened(browser, file, { hash: '#queries' })
  const status = () => page.locator('#queries-count').textContent()
  // The first query on which the trials differ is open.
  await page.locator('#query h3').waitFor()
  const scores = await page.locator('#query .pair b').allTextContents()
  expect(scores[0]).not.toBe(scores[1])
  await page.locator('#query-list').focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => page.locator('#query .about').first().textContent()).toContain('q0001')
  expect(await page.locator('#query-list [aria-selected="true"]').getAttribute('id')).toBe('query-1')
  expect(await page.locator('#query .gold li').count()).toBe(2)
  expect(await page.locator('#query .hits').count()).toBe(2)
  expect(await page.locator('#query .hits .id:not(.steps)').first().textContent()).not.toContain('hop 1')
  expect(await page.locator('#query .hits .id:not(.steps)').nth(3).textContent()).toContain(' · hop 1')
  const said = await page.locator('#query .said').first().textContent()
  expect(said).toContain('hops 1')
  expect(said).toContain('<b>said</b> of 1')
  expect(await page.locator('#query-list .below').first().textContent()).toContain('hops: 1')
  await page.keyboard.press('Enter')
  expect(await page.evaluate('document.activeElement.id')).toBe('query')
  expect(await status()).toBe('60 of 60')
  await page.locator('#queries-search').focus()
  await page.keyboard.type('q0007')
  await expect.poll(status).toBe('1 of 60')
  await page.locator('#queries-search').fill('')
  await page.locator('#queries-outcome').selectOption('differs')
  await expect.poll(status).not.toBe('60 of 60')
  const differing = Number((await status())?.split(' ')[0])
  const [better, worse] = [0, 0]
  let sum = better + worse
  for (const outcome of ['better', 'worse']) {
    await page.locator('#queries-outcome').selectOption(outcome)
    await expect.poll(() => page.evaluate<string>('location.hash')).toContain(`outcome=${outcome}`)
    sum += Number((await status())?.split(' ')[0])
  }
  expect(sum).toBe(differing)
})

test('an open query shows the answers of both trials and without retrieval, with measures and judges', async () => {
  const at = join(folder, 'answers')
  writeFixture(at, { answers: true })
  const page = await opened(browser, await writeReport(at, `${at}.html`), { hash: '#queries?q=q0003' })
  const answers = page.locator('#query .answers > li')
  await answers.first().waitFor()
  expect(await answers.locator('> .id').first().textContent()).toBe('without retrieval')
  expect(await answers.count()).toBe(3)
  for (const answer of await answers.all()) {
    expect(await answer.locator('> p').first().textContent()).toBe('answer to 3 [1, 3] and [9]')
    expect(await answer.locator('> p.id').textContent()).toBe('answer_f1 75.0')
    // A judge's score opens its reason.
    const judge = answer.locator('.reason')
    expect(await judge.locator('summary').textContent()).toBe('correctness 87.5')
    expect(await judge.locator('p').isVisible()).toBe(false)
    await judge.locator('summary').click()
    expect(await judge.locator('p').textContent()).toBe('a reason for 3')
  }
  // A citation opens its passage; one of nothing is marked and opens nothing.
  const answer = answers.nth(1)
  const passage = answer.locator('[data-number="1"]')
  expect(await passage.locator('p').isVisible()).toBe(false)
  await answer.locator('> p button', { hasText: '1' }).click()
  await passage.locator('p').waitFor({ state: 'visible' })
  expect(await passage.locator('summary').textContent()).toContain('p00000')
  await answer.locator('> p button', { hasText: '3' }).click()
  expect(await answer.locator('[data-number="3"] p').textContent()).toBe('an entity of the graph')
  expect(await answer.locator('> p .lost').textContent()).toBe('9')
  expect(await answer.locator('.cites > li').last().textContent()).toBe(
    '✗ [9] cites no passage that was sent',
  )
  // A judge without a verdict has no value; a missing answer has its failure.
  await page.locator('#query-list [data-query="0"]').click()
  await expect.poll(() => answers.first().textContent()).toMatch(/answer to 0 \[1\]answer_f1 0\.0$/)
  await page.goto(`${page.url().split('#')[0]}#queries?q=q0059`)
  await expect.poll(() => answers.first().textContent()).toContain('No answer: no reply')
})

test('passages are read as Markdown, whose links, pictures and HTML stay text', async () => {
  const at = join(folder, 'markdown')
  const markdown = (text: string) =>
    / .* /.test(text)
      ? `# A head\n\n${text} is **bold**, \`code\`\n\n- one\n- two\n\n| a | b |\n| - | - |\n| c | d |\n\n[link](https://a.example) ![pic](https://a.example/x.png) <b onclick="x">raw</b>\n`
      : text
  writeFixture(at, { taint: markdown, trials: 4, queries: 12, chunks: 60 })
  const page = await opened(browser, await writeReport(at, `${at}.html`), { hash: '#queries?q=q0001' })
  const gold = page.locator('#query .gold > li').first()
  await gold.waitFor()
  expect(await gold.locator('.heading').first().textContent()).toBe('A head')
  expect(await gold.locator('strong').first().textContent()).toBe('bold')
  expect(await gold.locator('ul > li').allTextContents()).toEqual(['one', 'two'])
  expect(await gold.locator('td').allTextContents()).toEqual(['a', 'b', 'c', 'd'])
  expect(await gold.textContent()).toContain('link [picture: pic] <b onclick="x">raw</b>')
  await page.locator('#query .hits button', { hasText: 'more' }).first().click()
  await page.locator('#query .hits strong').first().waitFor()
  expect(await page.locator('#query :is(a, img, b[onclick])').count()).toBe(0)
})

test('tables sort, and tables and charts are saved as files', async () => {
  const page = await opened(browser, file)
  const saved = async (selector: string) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator(selector).click()])
    return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') }
  }
  await showView(page, 'Statistics')
  const head = page.locator('#comparison-table th button', { hasText: 'trial' })
  await head.click()
  expect(await page.locator('#comparison-table th[aria-sort]').getAttribute('aria-sort')).toBe('descending')
  const table = await saved('[data-csv-of-table="comparison-table"]')
  expect(table.name).toBe('fixture-comparison-table.csv')
  expect(table.text.trim().split('\r\n')).toHaveLength(5)
  const picture = await saved('[data-picture-of-chart="forest"]')
  expect(picture.text).toMatch(/^<svg /)
  expect(picture.text).not.toContain('var(--')
  const forest = await saved('[data-csv-of-chart="forest"]')
  expect(forest.text).toMatch(/^name,difference,low,high,adjusted,verdict\r\n/)
  await showView(page, 'Provenance')
  const scores = await saved('[data-download="scores"]')
  expect(scores.text.trim().split('\r\n')).toHaveLength(1 + 14 * 58)
})
