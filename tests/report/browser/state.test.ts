import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { openPage } from './page.ts'

let state: typeof import('../../../src/report/browser/state.ts')
/** Changes of the browser's history by the page. */
const history: string[] = []
beforeAll(async () => {
  await openPage()
  const location = { hash: '' }
  const write = (how: string) => (_state: null, _title: string, hash: string) => {
    history.push(`${how} ${hash}`)
    location.hash = hash
  }
  vi.stubGlobal('location', location)
  vi.stubGlobal('history', { pushState: write('push'), replaceState: write('replace') })
  state = await import('../../../src/report/browser/state.ts')
})
beforeEach(() => {
  state.show('verdict', { a: '', b: '', q: '', sort: '' })
  history.length = 0
})
afterAll(() => {
  vi.unstubAllGlobals()
})

test.each([
  ['', 'verdict', {}],
  ['#', 'verdict', {}],
  ['#queries', 'queries', {}],
  ['#queries?q=q17&a=3', 'queries', { q: 'q17', a: '3' }],
  ['#queries?q=a%3Fb%26c&text=two+words', 'queries', { q: 'a?b&c', text: 'two words' }],
  ['#lost%20gold?a=1', 'lost gold', { a: '1' }],
  // No valid escape.
  ['#50%', '50%', {}],
])('the link %s', (hash, section, params) => {
  expect(state.parseRoute(hash)).toEqual({ section, params })
})

test('a link restores its section and params, without empty ones', () => {
  const route = { section: 'lost gold', params: { q: 'a?b&c=#d', empty: '', text: 'two words' } }
  const hash = state.routeHash(route)
  expect(hash).toBe('#lost%20gold?q=a%3Fb%26c%3D%23d&text=two+words')
  expect(state.parseRoute(hash)).toEqual({
    section: 'lost gold',
    params: { q: 'a?b&c=#d', text: 'two words' },
  })
  expect(state.routeHash({ section: 'verdict', params: { q: '' } })).toBe('#verdict')
})

test.each([
  [{}, [4, 7]],
  [{ a: '9' }, [9, 7]],
  [{ b: '9' }, [4, 9]],
  [{ a: '7' }, [7, 4]],
  [{ a: '9', b: '4' }, [9, 4]],
  // No trials of this page.
  [{ a: '3', b: 'x' }, [4, 7]],
])('%j compares %j: the best with the baseline, unless a link names trials of the page', (params, pair) => {
  state.show('queries', params)
  expect(state.pairOf()).toEqual(pair)
})
