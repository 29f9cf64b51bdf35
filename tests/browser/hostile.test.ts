import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeReport } from '../../src/report/write.ts'
import { writeFixture } from '../report/fixture.ts'
import { launch, open, overflow, SCREENSHOTS, showView } from './open.ts'
import { TAINTS } from './taints.ts'

let browser: Browser
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-hostile-'))
  browser = await launch()
})

afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

test.each(TAINTS.map((taint, place) => [place, taint] as const))(
  'hostile text %i in every field does nothing',
  async (place, taint) => {
    const at = join(folder, String(place))
    writeFixture(at, { taint, answers: true, graph: true, trials: 9, queries: 24, chunks: 80 })
    const file = await writeReport(at, join(folder, `${place}.html`))
    for (const width of [1280, 390]) {
      const { page, complaints } = await open(browser, file, { width })
      for (const view of await page.locator('nav a').allTextContents()) {
        await showView(page, view)
        if (view === 'Queries') {
          await page.locator('#query-list tr[data-query]').nth(1).click()
          await page.locator('#query .answers').waitFor()
          await page.evaluate(
            "document.querySelectorAll('#query .hits button').forEach((button) => button.click()); document.querySelectorAll('#query details').forEach((one) => { one.open = true })",
          )
          await page.locator('#query .hits button', { hasText: 'less' }).first().waitFor()
        }
        expect([view, await overflow(page)]).toEqual([view, 0])
      }
      expect(await page.evaluate('window.broken')).toBeUndefined()
      expect(await page.locator('img, iframe, svg[onload], body style, a[href^="javascript"]').count()).toBe(
        0,
      )
      expect(await page.locator('[data-chart="forest"] svg').count()).toBe(1)
      expect(await overflow(page)).toBe(0)
      await page.screenshot({ path: join(SCREENSHOTS, `hostile-${place}-${width}.png`), fullPage: true })
      expect(complaints).toEqual([])
      await page.context().close()
    }
  },
)
