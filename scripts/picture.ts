/**
 * Takes the README's picture of a report: the beginning of the quickstart's, without what makes it long. Run
 * `npm run quickstart` first.
 *
 *     npm run picture [-- REPORT [PNG]]
 */
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { launch, open } from '../tests/browser/open.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const [report = join(root, 'reports/quickstart.html'), picture = join(root, 'docs/report.png')] =
  process.argv.slice(2)
const WIDTH = 1000
const MARGIN = 24

/** What a picture has no room for. */
const SHORTENED = `
nav, #verdict li:nth-child(n + 3), #leaderboard > p, .caption { display: none !important }
body { display: block !important; padding: ${MARGIN}px !important }
`

const browser = await launch()
try {
  const { page, complaints } = await open(browser, resolve(report), { width: WIDTH, height: 2000 })
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
  // The report's own policy allows no style that is added to the page; the browser's own may add one.
  const rules = await page.context().newCDPSession(page)
  await rules.send('DOM.enable')
  await rules.send('CSS.enable')
  const { frameTree } = await rules.send('Page.getFrameTree')
  const { styleSheetId } = await rules.send('CSS.createStyleSheet', { frameId: frameTree.frame.id })
  await rules.send('CSS.setStyleSheetText', { styleSheetId, text: SHORTENED })
  const end = await page.locator('#leaderboard table').first().boundingBox()
  if (!end) throw new Error('the report has no leaderboard')
  await page.screenshot({
    path: resolve(picture),
    clip: { x: 0, y: 0, width: WIDTH, height: Math.ceil(end.y + end.height) + MARGIN },
  })
} finally {
  await browser.close()
}
