/**
 * Takes pictures of a report. Run `npm run sample` first.
 *
 *     npm run picture [-- REPORT [DIR]]    pictures of the README and of docs/report.md, with the list of experiments/
 *     npm run gallery [-- REPORT [DIR]]    every view, and the pages of `touchstone view` over experiments/, wide and narrow, light and dark
 */
import { mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { processes } from '../src/library/machine.ts'
import { startView } from '../src/view/server.tsx'
import { launch, open, showView } from '../tests/browser/open.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const [first, ...rest] = process.argv.slice(2)
const isGallery = first === '--gallery'
const [report = join(root, 'reports/sample.html'), target] =
  isGallery || first === undefined ? rest : [first, ...rest]

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]

const PICTURES = [
  { name: 'report.png', hash: '', width: 1200, height: 720 },
  { name: 'report-leaderboard.png', hash: '#leaderboard', width: 1440, height: 690 },
  { name: 'report-query.png', hash: '#queries?q=q004', width: 1440, height: 1000 },
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
    await serverPages(browser, folder)
  } else {
    for (const { name, hash, ...size } of PICTURES) {
      const { page, complaints } = await open(browser, resolve(report), { ...size, hash })
      if (hash.includes('q=')) await page.locator('#query h3').waitFor()
      if (complaints.length > 0) throw new Error(complaints.join('\n'))
      await page.screenshot({ path: join(resolve(target ?? join(root, 'docs')), name) })
      await page.context().close()
    }
    await listPicture(browser, join(resolve(target ?? join(root, 'docs')), 'view.png'))
  }
} finally {
  await browser.close()
}

/** Server over experiments/. */
function view() {
  return startView({
    folder: join(root, 'experiments'),
    shown: 'experiments',
    port: 0,
    processes,
    failed: (error) => {
      throw error
    },
  })
}

/** Picture of the list down to its last row. */
async function listPicture(browser: Browser, path: string): Promise<void> {
  const { link, close } = await view()
  const context = await browser.newContext({ viewport: { width: 1200, height: 720 } })
  const page = await context.newPage()
  await page.goto(link)
  const table = await page.locator('table.experiments').boundingBox()
  if (!table) throw new Error('there is no experiment; run `npm run sample` first')
  const clip = { x: 0, y: 0, width: 1200, height: Math.ceil(table.y + table.height + 20) }
  await page.screenshot({ path, clip })
  await context.close()
  await close()
}

/** Pictures of the list, of each experiment that has no report, and of the first two finished ones compared. */
async function serverPages(browser: Browser, folder: string): Promise<void> {
  const { link, close } = await view()
  for (const size of SIZES)
    for (const dark of [false, true]) {
      const context = await browser.newContext({ viewport: size, colorScheme: dark ? 'dark' : 'light' })
      const page = await context.newPage()
      const take = async (name: string) => {
        const path = join(folder, `view-${name}-${size.width}-${dark ? 'dark' : 'light'}.png`)
        await page.screenshot({ path })
        console.log(path)
      }
      await page.goto(link)
      await take('home')
      const finished = await page
        .locator('input[name=with]')
        .evaluateAll((boxes) => boxes.map((box) => box.getAttribute('value') ?? ''))
      const live = await page
        .locator('a[href^="/live/"]')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
      if (finished.length > 1) {
        const query = new URLSearchParams(
          finished.slice(0, 2).map((name): [string, string] => ['with', name]),
        )
        await page.goto(new URL(`/compare?${query}`, link).href)
        await take('compare')
      }
      for (const path of live) {
        await page.goto(new URL(path, link).href)
        await take(path.replace('/live/', '').replaceAll(/[^\w-]+/g, '-'))
      }
      await context.close()
    }
  await close()
}
