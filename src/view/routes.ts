import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Processes } from '../experiment/lock.ts'
import { policyOf, readAssets, readStyle } from '../report/assets.ts'
import { builtUrl } from '../threads.ts'
import { comparePage, compareState } from './compare.tsx'
import { type Entry, openList } from './describe.ts'
import { addressOf, type ViewPage } from './frame.tsx'
import { homePage, homeState } from './home.tsx'
import { awaitedPage, livePage, openLive } from './live.tsx'

export type Answer =
  | {
      readonly kind: 'page'
      readonly page: ViewPage
      readonly status?: number
      readonly isHome?: boolean
      readonly script?: string
    }
  | { readonly kind: 'report'; readonly html: string; readonly policy: string }
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'asset'; readonly text: string; readonly type: string }

const KEPT = 8

/**
 * Pages by address; null for an unknown one. Names are looked up in the list of experiments, never joined to a path.
 */
export function openRoutes(
  root: string,
  shown: string,
  processes: Processes,
  others: readonly string[],
): (url: URL) => Promise<Answer | null> {
  const list = openList(root, processes)
  const reports = keep<string>(KEPT)
  const lives = keep<ReturnType<typeof openLive>>(4 * KEPT)
  const policy = `${policyOf(readAssets())}; frame-ancestors 'none'`

  return async ({ pathname, searchParams }) => {
    if (pathname === '/')
      return { kind: 'page', page: homePage(list(), homeState(searchParams), shown, others), isHome: true }
    if (pathname === '/compare')
      return { kind: 'page', page: await comparePage(root, compareState(searchParams), list()) }
    const [, page, path] = /^\/(report|live)\/(.*)$/.exec(pathname) ?? []
    const name = path === undefined ? undefined : nameIn(path)
    const entry = name === undefined ? undefined : list().find((candidate) => candidate.name === name)
    if (!entry && page === 'live' && name !== undefined && isFolderName(name))
      return { kind: 'page', page: awaitedPage(name), status: 404 }
    if (!entry) return null
    if (page === 'live') return { kind: 'page', page: await live(entry) }
    if (entry.state !== 'finished') return { kind: 'redirect', to: addressOf('live', entry.name) }
    return { kind: 'report', html: await report(entry), policy }
  }

  async function live(entry: Entry): Promise<ViewPage> {
    // Before the lock, the plan may be of an earlier experiment.
    const hasPlan = entry.state === 'stopped' || entry.runner !== null
    const isSingle = entry.children.length === 0 && hasPlan && entry.primary !== ''
    const read = isSingle ? await lives(entry.folder, async () => openLive(entry.folder)) : null
    return livePage(entry, (await read?.()) ?? null, join(shown, entry.name))
  }

  function report(entry: Entry): Promise<string> {
    const { folder, result, children, name } = entry
    // Latencies are not part of the result.
    const latency = statSync(join(folder, 'timings', 'latency.json'), { throwIfNoEntry: false })?.mtimeMs
    return reports([name, result, latency].join('\n'), async () => {
      const below = (child: string) => addressOf('report', name === '.' ? child : `${name}/${child}`)
      // Loaded here, since its charts are most of the code.
      const { renderFolder } = await import('../report/write.ts')
      return renderFolder(folder, children.map(below), '/')
    })
  }
}

function isFolderName(name: string): boolean {
  return name.split('/').every((part) => !/^\.{0,2}$|[\\\0]/.test(part))
}

function nameIn(path: string): string | undefined {
  try {
    return path === '' ? '.' : path.split('/').map(decodeURIComponent).join('/')
  } catch {
    return undefined
  }
}

const HERE = dirname(fileURLToPath(import.meta.url))

/** Style and scripts by address. The style begins with the report's. */
export function readViewAssets(): ReadonlyMap<string, { readonly text: string; readonly type: string }> {
  const style = `${readStyle()}\n${readFileSync(join(HERE, 'view.css'), 'utf8')}`
  return new Map([
    ['/view.css', { text: style, type: 'text/css; charset=utf-8' }],
    ...['view.js', 'label.js', 'ask.js'].map((name): [string, { text: string; type: string }] => [
      `/${name}`,
      { text: readFileSync(builtUrl(`view/${name}`), 'utf8'), type: 'text/javascript; charset=utf-8' },
    ]),
  ])
}

/** Caches the last `most` results, without failures. */
function keep<T>(most: number): (key: string, make: () => Promise<T>) => Promise<T> {
  const cache = new Map<string, Promise<T>>()
  return (key, make) => {
    const value = cache.get(key) ?? make()
    cache.delete(key)
    cache.set(key, value)
    if (cache.size > most) cache.delete([...cache.keys()][0])
    value.catch(() => cache.delete(key))
    return value
  }
}
