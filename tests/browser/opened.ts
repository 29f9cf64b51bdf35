import type { Browser, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { open } from './open.ts'

/** Opens a report until the test ends. The test fails if the page complained. */
export async function opened(
  browser: Browser,
  file: string,
  options: Parameters<typeof open>[2] = {},
): Promise<Page> {
  const { page, complaints } = await open(browser, file, options)
  onTestFinished(async () => {
    await page.context().close()
    expect(complaints).toEqual([])
  })
  return page
}
