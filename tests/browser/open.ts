import { existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'

/** Folder of the screenshots. */
export const SCREENSHOTS = process.env.TOUCHSTONE_SCREENSHOTS ?? join(tmpdir(), 'touchstone-screenshots')

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The system's Chromium. Without one these tests fail: they were asked for by name. */
export async function launch(): Promise<Browser> {
  mkdirSync(SCREENSHOTS, { recursive: true })
  const executablePath = process.env.CHROMIUM ?? PLACES.find((path) => existsSync(path))
  if (!executablePath)
    throw new Error('no Chromium here: install it (apt-get install chromium) or name it in CHROMIUM')
  return chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

export interface Opened {
  readonly page: Page
  /** Whatever the console was told, exceptions, policy violations and requests, in words. Must stay empty. */
  readonly complaints: readonly string[]
}

/** Opens a report offline and waits until all is drawn; `script` runs before those of the page. */
export async function open(
  browser: Browser,
  file: string,
  { width = 1280, height = 900, dark = false, hash = '', script = '' } = {},
): Promise<Opened> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    acceptDownloads: true,
  })
  await context.setOffline(true)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`))
  page.on('request', (request) => {
    const url = request.url().split('#')[0]
    if (url !== pathToFileURL(file).href && !/^(data|blob):/.test(url)) complaints.push(`request: ${url}`)
  })
  await page.addInitScript(
    "document.addEventListener('securitypolicyviolation', (event) => console.error('policy: ' + event.violatedDirective))",
  )
  await page.addInitScript(script)
  await page.goto(pathToFileURL(file).href + hash)
  await page.waitForSelector('html[data-ready]', { timeout: 60_000 })
  return { page, complaints }
}

/** Pixels by which the page is wider than the window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}

/** Shows a view by its name in the contents, and waits until it has read its data. */
export async function showView(page: Page, name: string): Promise<void> {
  await page.locator('nav a', { hasText: name }).click()
  const reading = 'section:not([hidden]) > [data-mounted]:is(:empty, :has(> .empty))'
  await page.locator(reading).first().waitFor({ state: 'detached' })
}
