import { Idiomorph } from 'idiomorph'
import { parseHTML } from 'linkedom'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'

/** The script of the server's pages, over a document without a browser. The browser suite runs it in Chromium. */

const { document, HTMLInputElement, Event } = parseHTML(
  '<html><body data-live><p id="lost" hidden></p><main id="main"><input id="search"><input id="other"><p>old</p></main></body></html>',
)
const main = document.getElementById('main') as HTMLElement
const lost = document.getElementById('lost') as HTMLElement
const search = document.getElementById('search') as HTMLInputElement

/** Streams of events that the page has opened. */
const streams: FakeEvents[] = []
class FakeEvents {
  readonly url: string
  isClosed = false
  onmessage = (_event: { data: string }) => {}
  onopen = () => {}
  onerror = () => {}
  constructor(url: string) {
    this.url = url
    streams.push(this)
  }
  close() {
    this.isClosed = true
  }
}
const last = () => streams[streams.length - 1]
const open = () => streams.filter(({ isClosed }) => !isClosed)

/** Listeners of the window, by the name of the event. */
const listeners = new Map<string, () => void>()
const location = { pathname: '/live', search: '?q=ada&page=2' }
let isHidden = false

beforeAll(async () => {
  vi.useFakeTimers()
  Object.defineProperty(document, 'hidden', { get: () => isHidden })
  vi.stubGlobal('document', document)
  vi.stubGlobal('HTMLInputElement', HTMLInputElement)
  vi.stubGlobal('EventSource', FakeEvents)
  vi.stubGlobal('location', location)
  vi.stubGlobal('history', {
    replaceState: (_state: null, _title: string, address: string) => {
      location.search = address.startsWith('?') ? address : ''
    },
  })
  vi.stubGlobal('addEventListener', (name: string, listener: () => void) => listeners.set(name, listener))
  await import('../../../src/view/browser/view.ts')
})
afterEach(() => {
  vi.restoreAllMocks()
})
afterAll(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})
beforeEach(() => {
  location.search = '?q=ada&page=2'
  listeners.get('pageshow')?.()
  lost.hidden = true
})

test('a page follows its own address, and rests while it is hidden or left', () => {
  expect(open().map(({ url }) => url)).toEqual(['/live?q=ada&page=2'])
  isHidden = true
  document.dispatchEvent(new Event('visibilitychange'))
  expect(open()).toEqual([])
  isHidden = false
  document.dispatchEvent(new Event('visibilitychange'))
  expect(open()).toHaveLength(1)
  listeners.get('pagehide')?.()
  expect(open()).toEqual([])
})

test('says when the server is lost, until it answers again', () => {
  last().onerror()
  expect(lost.hidden).toBe(false)
  last().onopen()
  expect(lost.hidden).toBe(true)
  last().onerror()
  vi.spyOn(Idiomorph, 'morph').mockReturnValue([])
  last().onmessage({ data: '"<p>new</p>"' })
  expect(lost.hidden).toBe(true)
})

test('a new state changes the page in place, and what the reader set stays', () => {
  const morph = vi.spyOn(Idiomorph, 'morph').mockReturnValue([])
  last().onmessage({ data: '"<p>new</p>"' })
  expect(morph.mock.calls[0].slice(0, 2)).toEqual([main, '<p>new</p>'])
  const { morphStyle, callbacks } = morph.mock.calls[0][2] ?? {}
  expect(morphStyle).toBe('innerHTML')
  const isChanged = (name: string, element: Element) =>
    callbacks?.beforeAttributeUpdated?.(name, element, 'update')
  expect(['value', 'checked', 'open'].map((name) => isChanged(name, search))).toEqual([false, false, false])
  expect(['value', 'checked', 'open'].map((name) => isChanged(name, main))).toEqual([true, true, false])
  expect(isChanged('class', search)).toBe(true)
})
