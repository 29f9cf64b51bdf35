import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { processes } from '../../src/library/machine.ts'
import { openConfig } from '../../src/library/open-config.ts'
import { startView } from '../../src/view/server.tsx'
import { temporaryFolder } from '../temporary.ts'
import { launch, overflow, SCREENSHOTS } from './open.ts'

/** `npm run build` makes the script of the page. */
let browser: Browser
beforeAll(async () => {
  browser = await launch()
})
afterAll(() => browser?.close())

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const HOSTILE = '<img src=x onerror="document.title=1"></p><script>document.title=2</script>\u202e${y} '

test.each([
  [1440, false],
  [1440, true],
  [390, false],
  [390, true],
])('trials are asked and a question is added by keyboard, %d pixels wide, dark: %s', async (width, dark) => {
  const folder = temporaryFolder({
    'a.yaml': `dataset: {folder: {path: docs, questions: questions.jsonl}}
trials: [bm25, {name: "<b>titled", bm25: {fields: {title: 2, text: 1}}}, naive]
`,
    'docs/a.md': `# Tides\n\n${HOSTILE}The harbour silts up every spring.\n`,
    'docs/b.md': '# Dredging\n\nBarges dredge it. The harbour master pays.\n',
    'questions.jsonl': '{"_id":"q1","text":"Who dredges?","gold":[{"file":"b.md"}]}\n',
    'experiments/.keep': '',
  })
  const open = await openConfig({ folder, env: {} }, 'a.yaml', { set: [] })
  const server = await startView({
    folder: join(folder, 'experiments'),
    shown: 'experiments',
    port: 0,
    processes,
    playground: { open, folder },
    failed: (error) => {
      throw error
    },
  })
  onTestFinished(server.close)
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: dark ? 'dark' : 'light',
  })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`))
  await page.goto(server.linkTo('/ask'))
  await page.keyboard.type('Why does the harbour silt up?')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.hits')
  expect(await page.locator('mark').first().textContent()).toBe('harbour')
  const gold = page.locator('button:has-text("answers it")').first()
  await gold.focus()
  await page.keyboard.press('Enter')
  expect(await gold.getAttribute('aria-pressed')).toBe('true')
  await page.screenshot({ path: join(SCREENSHOTS, `ask-${width}-${dark ? 'dark' : 'light'}.png`) })
  expect(await overflow(page)).toBe(0)
  await page.evaluate(AXE)
  const faults = await page.evaluate<string[]>(
    'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes[0].html} ${nodes[0].failureSummary}`))',
  )
  expect(faults).toEqual([])
  await page.locator('button:has-text("Add as question")').focus()
  await page.keyboard.press('Enter')
  await page.waitForSelector('text=Added as')
  expect(readFileSync(join(folder, 'questions.jsonl'), 'utf8')).toContain('silts up every spring')
  await page.keyboard.press('Tab')
  await page.fill('#question', 'x'.repeat(100_000))
  await page.keyboard.press('Enter')
  await page.waitForSelector('#lost:not([hidden])')
  expect(await page.textContent('#lost')).toContain('at most 10000 are allowed')
  expect(await page.title()).toBe('Ask · Touchstone')
  expect(complaints.filter((line) => !line.includes('422'))).toEqual([])
})
