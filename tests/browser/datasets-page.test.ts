import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renderDatasets } from '../../src/report/datasets-page.ts'
import { macroFixture } from '../report/macro-fixture.ts'
import { launch, open, overflow, SCREENSHOTS } from './open.ts'

let browser: Browser
let folder: string
let file: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-macro-'))
  file = join(folder, 'macro.html')
  const datasets = ['musique-train-100', 'hotpotqa-train-100', '2wiki-101', 'claude-docs-100', 'xquad-en']
  const rows = ['naive', 'bm25', 'hybrid fusion=rrf alpha=0.5', 'lightrag', 'title-ppr']
  writeFileSync(
    file,
    renderDatasets(
      macroFixture({ datasets, rows }),
      datasets.map((name) => `macro/${name}.html`),
    ),
  )
  browser = await launch()
})

afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

describe.each([
  ['light', { width: 1280, dark: false }],
  ['dark', { width: 1280, dark: true }],
  ['phone', { width: 390, height: 844, dark: false }],
  ['phone dark', { width: 390, height: 844, dark: true }],
] as const)('the report over datasets, %s', (name, options) => {
  test('complains of nothing, asks for nothing, and needs no sideways scrolling', async () => {
    const { page, complaints } = await open(browser, file, options)
    expect(await overflow(page)).toBe(0)
    await page.screenshot({ path: join(SCREENSHOTS, `macro-${name}.png`), fullPage: true })
    expect(complaints).toEqual([])
    await page.context().close()
  })
})

test('its tables are sorted and saved', async () => {
  const { page, complaints } = await open(browser, file, { width: 1280, dark: false })
  const first = () => page.locator('#board tbody tr').first().locator('th bdi').textContent()
  const best = await first()
  await page.locator('#board button.sort', { hasText: 'macro mean' }).click()
  expect(await first()).toBe(best)
  await page.locator('#board button.sort', { hasText: 'macro mean' }).click()
  expect(await first()).toBe('naive')
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('[data-csv-of-table="board"]').click(),
  ])
  const [head, ...rows] = readFileSync(await saved.path(), 'utf8')
    .trimEnd()
    .split('\r\n')
  expect(head).toBe(
    'strategy,letter,musique-train-100,hotpotqa-train-100,2wiki-101,claude-docs-100,xquad-en,macro mean,interval,to baseline,mrr@10',
  )
  expect(rows).toHaveLength(5)
  expect(complaints).toEqual([])
  await page.context().close()
})
