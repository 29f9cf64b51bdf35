import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeReport } from '../../src/report/write.ts'
import { writeFixture } from '../report/fixture.ts'
import { launch, open, overflow, SCREENSHOTS } from './open.ts'

let browser: Browser
let folder: string
let file: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-report-'))
  writeFixture(join(folder, 'fixture'))
  file = await writeReport(join(folder, 'fixture'), join(folder, 'fixture.html'))
  browser = await launch()
})

afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

const CHARTS = [
  'pareto-tokens',
  'pareto-p50',
  'budget',
  'grid',
  'forest',
  'differences',
  'categories',
  'funnel',
]

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
    const { page, complaints } = await open(browser, file, options)
    for (const chart of CHARTS) expect([chart, await marks(page, chart)], chart).not.toEqual([chart, 0])
    expect(await marks(page, 'grid')).toBe(9)
    expect(await overflow(page)).toBe(0)
    await page.locator('[role="option"]').nth(2).click()
    await page.locator('#query h3').waitFor()
    expect(await overflow(page)).toBe(0)
    await page.screenshot({ path: join(SCREENSHOTS, `report-${name}.png`), fullPage: true })
    expect(complaints).toEqual([])
    await page.context().close()
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
    const { page, complaints } = await open(browser, await writeReport(at, `${at}.html`))
    // Drawn once more, narrow.
    await page.setViewportSize({ width: 390, height: 844 })
    await page.waitForTimeout(500)
    expect(complaints).toEqual([])
    await page.context().close()
  })
})

describe('axe finds no fault with it', () => {
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

  test.each([
    ['light', { dark: false }],
    ['dark', { dark: true }],
    ['phone', { width: 390, height: 844 }],
  ])('%s', async (_, options) => {
    const { page } = await open(browser, file, options)
    await page.locator('[role="option"]').nth(2).click()
    await page.locator('#query h3').waitFor()
    for (const button of await page.locator('[data-unfold]').all()) await button.click()
    await page.evaluate(axe)
    const found = await page.evaluate<string[]>(
      `axe.run().then(({ violations }) => violations.flatMap(({ id, impact, nodes }) =>
        nodes.map(({ html, failureSummary }) => [id, impact, html.slice(0, 200), failureSummary].join(': '))))`,
    )
    expect(found).toEqual([])
    await page.context().close()
  })
})

test('numbers of the contents stand on one line', async () => {
  const { page } = await open(browser, file)
  const lines = await page.evaluate<
    [number, number][]
  >(`[...document.querySelectorAll('nav li')].map((item) => {
    const title = document.createRange()
    title.selectNodeContents(item.firstElementChild)
    return [item.getBoundingClientRect().height, title.getBoundingClientRect().height]
  })`)
  expect(lines.length).toBeGreaterThan(10)
  // A line that is broken in the number is higher than its title.
  for (const [line, title] of lines) expect(line - title).toBeLessThan(6)
  await page.context().close()
})

test('what a mark says on hover is a plain number', async () => {
  const { page } = await open(browser, file)
  const said = await page.evaluate<
    [string, string][]
  >(`['pareto-tokens', 'pareto-p50', 'budget'].flatMap((chart) => {
    const box = document.querySelector('[data-chart="' + chart + '"]')
    return [...box.querySelectorAll('.mark-symbol.role-mark > path')].map((mark) => {
      mark.dispatchEvent(new PointerEvent('pointermove', { bubbles: true }))
      return [chart, box.title]
    })
  })`)
  expect(said.length).toBeGreaterThan(30)
  for (const [chart, text] of said) {
    if (chart === 'pareto-tokens') expect(text).toMatch(/\nrecall@5: \d+\.\d%\ntokens@5 per query: [\d,]+$/)
    else if (chart === 'pareto-p50') expect(text).toMatch(/\nrecall@5: \d+\.\d%\np50 ms: [\d.]+$/)
    else expect(text).toMatch(/\ntokens: [1-4],000\nrecall: \d+\.\d%$/)
  }
  await page.context().close()
})

test('dark and light differ in paper, ink and the ink of charts', async () => {
  const colours = async (dark: boolean) => {
    const { page } = await open(browser, file, { dark })
    const found = await page.evaluate<string[]>(`[
      getComputedStyle(document.body).backgroundColor,
      getComputedStyle(document.body).color,
      getComputedStyle(document.querySelector('[data-chart="forest"] .role-axis-label text')).fill,
    ]`)
    await page.context().close()
    return found
  }
  const [light, dark] = [await colours(false), await colours(true)]
  for (const [place, value] of light.entries()) expect(value).not.toBe(dark[place])
})

test('a strategy has one mark: in the leaderboard, in the key and in the pictures', async () => {
  const { page } = await open(browser, file)
  const marks = (rows: string, mark: string) =>
    page.evaluate<
      [string, string, string][]
    >(`[...document.querySelectorAll(${JSON.stringify(rows)})].map((row) => {
      const mark = row.querySelector(${JSON.stringify(mark)})
      return [mark.nextElementSibling.textContent.trim().split(' ')[0], getComputedStyle(mark).color, mark.querySelector('path').getAttribute('d')]
    })`)
  const key = await marks('#fig-pareto-tokens .key li', 'svg.mark')
  const board = await marks('#board tbody tr', 'svg.mark')
  expect(key.length).toBeGreaterThan(3)
  expect(board.length).toBeGreaterThan(key.length)
  for (const row of board) expect(key).toContainEqual(row)
  const drawn = await page
    .locator('[data-chart="pareto-tokens"] .mark-symbol.role-mark > path')
    .evaluateAll((paths) => [
      ...new Set(paths.map((path) => path.ownerDocument.defaultView?.getComputedStyle(path).fill)),
    ])
  expect(new Set(drawn)).toEqual(new Set(key.map(([, colour]) => colour)))
  await page.context().close()
})

test('on a phone a table that hides columns casts a shadow, and one that hides none does not', async () => {
  const { page } = await open(browser, file, { width: 390, height: 844 })
  const image = await page.evaluate<string>(
    "getComputedStyle(document.querySelector('#board .scroll')).backgroundImage",
  )
  expect(image.match(/linear-gradient/g)).toHaveLength(4)
  // The covers move with what is scrolled, so a shadow shows only where something is hidden.
  const attachment = "getComputedStyle(document.querySelector('#board .scroll')).backgroundAttachment"
  expect(await page.evaluate(attachment)).toBe('local, local, scroll, scroll')
  await page.context().close()
})

test('prints: controls are gone, the pictures are not, and the PDF has pages', async () => {
  const { page, complaints } = await open(browser, file)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  expect(await page.locator('nav').isVisible()).toBe(false)
  expect(await page.locator('.tools').first().isVisible()).toBe(false)
  expect(await page.locator('[data-chart="forest"] svg').isVisible()).toBe(true)
  // Paper is white, whatever the screen is.
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)')
  const pdf = await page.pdf({ path: join(SCREENSHOTS, 'report.pdf'), format: 'A4' })
  expect(pdf.length).toBeGreaterThan(20_000)
  expect(complaints).toEqual([])
  await page.context().close()
})

test('the drill-down works by keyboard: walk, open, search, filter', async () => {
  const { page, complaints } = await open(browser, file)
  const count = () => page.locator('#query-list [role="option"]').count()
  const status = () => page.locator('#queries-count').textContent()
  await page.locator('#query-list').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.locator('#query h3').waitFor()
  expect(await page.locator('#query-list').getAttribute('aria-activedescendant')).toBe('query-1')
  expect(await page.locator('#query').textContent()).toContain('q0001')
  expect(await page.locator('#query .gold li').count()).toBe(2)
  expect(await page.locator('#query .hits').count()).toBe(2)
  expect(await page.locator('#query .hits .id').first().textContent()).not.toContain('hop 1')
  expect(await page.locator('#query .hits .id').nth(3).textContent()).toContain(' · hop 1')
  const said = await page.locator('#query .said').first().textContent()
  expect(said).toContain('hops 1')
  expect(said).toContain('<b>said</b> of 1')
  expect(await page.locator('#query-list .below').first().textContent()).toContain('hops: 1')
  await page.keyboard.press('Enter')
  expect(await page.evaluate('document.activeElement.id')).toBe('query')

  expect(await count()).toBe(60)
  await page.locator('#queries-search').focus()
  await page.keyboard.type('q0007')
  expect([await count(), await status()]).toEqual([1, '1 of 60'])
  for (let key = 0; key < 5; key++) await page.keyboard.press('Backspace')
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.id')).toBe('queries-different')
  await page.keyboard.press('Space')
  const different = await count()
  expect(different).toBeGreaterThan(0)
  expect(different).toBeLessThan(60)
  const values = await page.locator('#query-list .values').allTextContents()
  for (const value of values) expect(new Set(value.split(' ')).size).toBe(2)
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  for (const value of await page.locator('#query-list .values b').allTextContents()) expect(value).toBe('0')
  expect(complaints).toEqual([])
  await page.context().close()
})

test('a lost label shows the stages it passed and the one that lost it', async () => {
  const { page } = await open(browser, file)
  // The fixture takes the first gold of this query out of the corpus.
  await page.locator('#query-list [data-query="3"]').click()
  await page.locator('#query .path .lost').first().waitFor()
  expect(await page.locator('#query .path .lost').first().textContent()).toBe('✗ not in corpus')
  await page.context().close()
})

test('selects of both sections show the same pair, and the bars follow', async () => {
  const { page } = await open(browser, file)
  const caption = () => page.locator('#differences-count').textContent()
  const before = await caption()
  await page.locator('#differences-a').selectOption({ label: 'bm25' })
  await expect.poll(caption).not.toBe(before)
  expect(await page.locator('#queries-a option:checked').textContent()).toBe('bm25')
  const [, worse] = /(\d+) worse/.exec((await caption()) ?? '') ?? []
  const [, better] = /(\d+) better/.exec((await caption()) ?? '') ?? []
  await expect.poll(() => marks(page, 'differences')).toBe(Number(worse) + Number(better))
  await page.context().close()
})

test('the heatmap follows its selects', async () => {
  const { page, complaints } = await open(browser, file)
  await page.locator('#grid-strategy').selectOption({ label: 'hipporag' })
  await expect.poll(() => marks(page, 'grid')).toBe(2)
  await page.locator('#grid-strategy').selectOption({ label: 'hybrid' })
  await page.locator('#grid-y').selectOption('alpha')
  await expect.poll(() => marks(page, 'grid')).toBe(3)
  await page.locator('#grid-measure').selectOption('mrr@10')
  await expect.poll(() => page.locator('#grid-caption').textContent()).toContain('mrr@10')
  expect(complaints).toEqual([])
  await page.context().close()
})

test('tables sort, and tables, charts and runs are saved as files', async () => {
  const { page, complaints } = await open(browser, file)
  const saved = async (selector: string) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator(selector).click()])
    return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') }
  }
  const head = page.locator('#board th button', { hasText: 'trial' })
  await head.click()
  expect(await page.locator('#board th[aria-sort]').getAttribute('aria-sort')).toBe('descending')
  const table = await saved('[data-csv-of-table="board"]')
  expect(table.name).toBe('fixture-board.csv')
  expect(table.text.trim().split('\r\n')).toHaveLength(15)
  const forest = await saved('[data-csv-of-chart="forest"]')
  expect(forest.text).toMatch(/^name,difference,low,high,adjusted,verdict\r\n/)
  const spec = JSON.parse((await saved('[data-spec-of-chart="forest"]')).text)
  expect(spec.data.values).toHaveLength(4)
  expect(JSON.stringify(spec)).not.toContain('var(--')
  const scores = await saved('[data-download="scores"]')
  expect(scores.text.trim().split('\r\n')).toHaveLength(1 + 14 * 58)
  expect((await saved('[data-download="latex"]')).text).toContain('\\toprule')
  const run = await saved('[data-download="runs"]')
  expect(run.text.split('\n')[0]).toMatch(/^q0000 Q0 p\d{5} 1 20 \S+$/)
  expect(complaints).toEqual([])
  await page.context().close()
})
