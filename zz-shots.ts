import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { launch } from './tests/browser/open.ts'
import { processes } from './src/library/machine.ts'
import { startView } from './src/view/server.ts'
const [folder, out, ...paths] = process.argv.slice(2)
mkdirSync(out, { recursive: true })
const { link, close } = await startView({ folder, shown: 'experiments', port: 0, processes, failed: (e) => console.log('FAILED', e) })
const browser = await launch()
for (const [width, height] of [[1440, 900], [390, 844]] as const) {
  const context = await browser.newContext({ viewport: { width, height } })
  const page = await context.newPage()
  page.on('console', (m) => console.log(m.type(), m.text()))
  await page.goto(link)
  for (const one of paths) {
    const [path, name, full] = one.split('@')
    await page.goto('about:blank')
    await page.goto(new URL(path, link).href)
    if (path.startsWith('/report')) await page.waitForSelector('html[data-ready]')
    await page.waitForTimeout(600)
    await page.screenshot({ path: join(out, `${name}-${width}.png`), fullPage: full === 'full' })
  }
  await context.close()
}
await browser.close(); await close()
