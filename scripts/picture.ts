/**
 * Takes pictures of a report. Run `npm run quickstart` first.
 *
 *     npm run picture [-- REPORT [DIR]]    pictures of the README and of docs/report.md
 *     npm run gallery [-- REPORT [DIR]]    every view, wide and narrow, light and dark
 */
import { mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { launch, open, showView } from '../tests/browser/open.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const [first, ...rest] = process.argv.slice(2)
const isGallery = first === '--gallery'
const [report = join(root, 'reports/quickstart.html'), target] =
  isGallery || first === undefined ? rest : [first, ...rest]

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]

const PICTURES = [
  { name: 'report.png', hash: '', width: 1200, height: 720 },
  { name: 'report-query.png', hash: '#queries?q=q003', width: 1440, height: 1000 },
  { name: 'report-trade-offs.png', hash: '#cost', width: 1200, height: 620 },
]

const browser = await launch()
try {
  if (isGallery) {
    const folder = resolve(target ?? join(root, 'reports/gallery'))
    mkdirSync(folder, { recursive: true })
    for (const size of SIZES)
      for (const dark of [false, true]) {
        const { page, complaints } = await open(browser, resolve(report), { ...size, dark })
        for (const view of await page.locator('nav a').allTextContents()) {
          await showView(page, view)
          if (view === 'Queries') {
            await page.locator('#query-list tr[data-query]').nth(3).click()
            await page.locator('#query h3').waitFor()
          }
          const name = `${view.toLowerCase().replaceAll(' ', '-')}-${size.width}-${dark ? 'dark' : 'light'}.png`
          await page.screenshot({ path: join(folder, name) })
          console.log(join(folder, name))
        }
        if (complaints.length > 0) throw new Error(complaints.join('\n'))
        await page.context().close()
      }
  } else {
    for (const { name, hash, ...size } of PICTURES) {
      const { page, complaints } = await open(browser, resolve(report), { ...size, hash })
      if (hash.includes('q=')) await page.locator('#query h3').waitFor()
      if (complaints.length > 0) throw new Error(complaints.join('\n'))
      await page.screenshot({ path: join(resolve(target ?? join(root, 'docs')), name) })
      await page.context().close()
    }
  }
} finally {
  await browser.close()
}
