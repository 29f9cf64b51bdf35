import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeReport } from '../../src/report/write.ts'
import { writeFixture } from '../report/fixture.ts'
import { sharedFolder } from '../temporary.ts'
import { launch, overflow, SCREENSHOTS, showView } from './open.ts'
import { opened } from './opened.ts'
import { hostile, PAYLOADS } from './payloads.ts'

let browser: Browser
const folder = sharedFolder()

beforeAll(async () => {
  browser = await launch()
})

afterAll(async () => {
  await browser?.close()
})

/** Elements and attributes that no text may have made. */
const MADE =
  ':is(main, header, nav) :is(img, iframe, script, style, form:not(.vega-bindings), object, embed, video, audio, math, link, meta, base), a:not([href^="#"]), [onload], [onerror], [onfocus]'

const madeBy = (page: Page) =>
  page.locator(MADE).evaluateAll((elements) => elements.map((element) => element.outerHTML.slice(0, 120)))

test(`${PAYLOADS.length} hostile texts in every field and in the link do nothing in any view`, async () => {
  expect(new Set(PAYLOADS).size).toBe(PAYLOADS.length)
  expect(PAYLOADS.length).toBeGreaterThanOrEqual(126)
  const at = join(folder, 'fixture')
  // So many trials that their names hold every text.
  const trials = PAYLOADS.length + 2
  writeFixture(at, { taint: hostile(), answers: true, graph: true, trials, queries: 24, chunks: 80 })
  const file = await writeReport(at, join(folder, 'hostile.html'))
  const page = await opened(browser, file, { width: 1280 })
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 })
    for (const view of await page.locator('nav a').allTextContents()) {
      await showView(page, view)
      if (view === 'Queries') {
        await page.locator('#query-list tr[data-query]').nth(1).click()
        await page.locator('#query .answers').waitFor()
        await page.evaluate(
          "document.querySelectorAll('#query .hits button').forEach((button) => button.click()); document.querySelectorAll('#query details').forEach((one) => { one.open = true })",
        )
        await page.locator('#query .hits').first().waitFor()
      }
      await page.evaluate("document.querySelectorAll('[data-unfold]').forEach((button) => button.click())")
      expect([view, await overflow(page)]).toEqual([view, 0])
      expect([view, await madeBy(page)]).toEqual([view, []])
      await page.screenshot({ path: join(SCREENSHOTS, `hostile-${view}-${width}.png`) })
    }
  }
  // Each text as a section, and as each part of the state.
  const params = [
    'text',
    'strategy',
    'sort',
    'open',
    'pin',
    'columns',
    'cost',
    'q',
    'a',
    'b',
    'find',
    'category',
    'grid',
    'across',
  ]
  await page.evaluate(`(async () => {
    for (const text of ${JSON.stringify(PAYLOADS)}) {
      const state = new URLSearchParams(${JSON.stringify(params)}.map((name) => [name, text]))
      for (const hash of [text, 'leaderboard?' + state, 'queries?' + state, 'grid?' + state]) {
        location.hash = hash
        await new Promise((drawn) => setTimeout(drawn))
      }
    }
  })()`)
  expect(await madeBy(page)).toEqual([])
  expect(await page.evaluate('[window.broken, ({}).broken]')).toEqual([undefined, undefined])
}, 240_000)
