import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renderDatasets } from '../../src/report/datasets-page.tsx'
import { macroFixture } from '../report/macro-fixture.ts'
import { sharedFolder } from '../temporary.ts'
import { launch, overflow, SCREENSHOTS, showView } from './open.ts'
import { opened } from './opened.ts'

let browser: Browser
const folder = sharedFolder()
let file: string

beforeAll(async () => {
  file = join(folder, 'macro.html')
  const datasets = ['musique-train-100', 'hotpotqa-train-100', '2wiki-101', 'claude-docs-100', 'xquad-en']
  const rows = ['naive', 'bm25', 'hybrid fusion=rrf alpha=0.5', 'lightrag', 'title-ppr']
  writeFileSync(
    file,
    await renderDatasets(
      macroFixture({ datasets, rows }),
      '',
      datasets.map((name) => `macro/${name}.html`),
    ),
  )
  browser = await launch()
})

afterAll(async () => {
  await browser?.close()
})

describe.each([
  ['light', { width: 1280, dark: false }],
  ['dark', { width: 1280, dark: true }],
  ['phone', { width: 390, height: 844, dark: false }],
  ['phone dark', { width: 390, height: 844, dark: true }],
] as const)('the report over datasets, %s', (name, options) => {
  test('complains of nothing, asks for nothing, and needs no sideways scrolling', async () => {
    const page = await opened(browser, file, options)
    expect(await overflow(page)).toBe(0)
    await page.screenshot({ path: join(SCREENSHOTS, `macro-${name}.png`), fullPage: true })
  })
})

test('its leaderboard is sorted, and its tables are saved', async () => {
  const page = await opened(browser, file, { width: 1280, dark: false, hash: '#leaderboard' })
  const first = () => page.locator('#board-table tbody tr').first().locator('th bdi').textContent()
  const best = await first()
  const mean = page.locator('#board-table thead th').nth(1).locator('button')
  await mean.click()
  expect(await first()).toBe(best)
  await mean.click()
  await expect.poll(first).toBe('naive')
  await showView(page, 'Statistics')
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('[data-csv-of-table="comparison-table"]').click(),
  ])
  const [head, ...rows] = readFileSync(await saved.path(), 'utf8')
    .trimEnd()
    .split('\r\n')
  expect(head).toMatch(
    /^trial,musique-train-100,hotpotqa-train-100,2wiki-101,claude-docs-100,xquad-en,macro mean,/,
  )
  expect(rows).toHaveLength(4)
})
