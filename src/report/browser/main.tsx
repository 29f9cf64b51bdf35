import { effect } from '@preact/signals'
import { type ComponentChild, render } from 'preact'
import type { Board } from '../board.ts'
import { Chart, drawnAll, rowsOf } from './charts.tsx'
import { board, meta } from './data.ts'
import { Downloads } from './downloads.tsx'
import { Differences, Grid, TradeOffs } from './figures.tsx'
import { Leaderboard } from './leaderboard.tsx'
import { QueryExplorer } from './queries.tsx'
import { parseRoute, route, show } from './state.ts'
import { enhance } from './tables.ts'

/** Follows links within the page and the browser's history. */
function listen(): void {
  document.addEventListener('click', (event) => {
    const target = event.target instanceof Element ? event.target : null
    const link = target?.closest<HTMLAnchorElement>('a[href^="#"]')
    if (!link || link.classList.contains('skip')) return
    event.preventDefault()
    const { section, params } = parseRoute(link.getAttribute('href') ?? '')
    show(section, params)
  })
  const read = () => {
    route.value = parseRoute(location.hash)
  }
  addEventListener('popstate', read)
  addEventListener('hashchange', read)
}

const sections = [...document.querySelectorAll<HTMLElement>('main > section')]
const viewsOf = (section: HTMLElement) => (section.dataset.view ?? '').split(' ')
let shownView = ''

/** Shows the view of a section and scrolls to it. A section of two views stays in the present one. */
function showView(section: string, board: Board): void {
  const target = document.getElementById(section)
  const current = sections.find((section) => section === target || section.contains(target)) ?? sections[0]
  const views = viewsOf(current)
  const named = [...document.querySelectorAll<HTMLAnchorElement>('nav a')].map(({ hash }) => hash.slice(1))
  if (!views.includes(shownView) || named.includes(section))
    shownView = views.includes(section) ? section : views[0]
  for (const section of sections) {
    section.hidden = !viewsOf(section).includes(shownView)
    if (section.hidden) continue
    for (const [id, app] of Object.entries(APPS))
      if (section.contains(document.getElementById(id))) mount(id, () => app(board))
    for (const fill of unfilled(section, board)) fill()
  }
  for (const link of document.querySelectorAll<HTMLAnchorElement>('nav a')) {
    const isCurrent = link.getAttribute('href') === `#${shownView}`
    if (isCurrent) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
    if (isCurrent) document.title = `${link.textContent} · ${meta.experiment} · Touchstone report`
  }
  if (target && section !== shownView) target.scrollIntoView({ behavior: 'instant' })
  else scrollTo({ top: 0, behavior: 'instant' })
}

/** Applications that read much data: mounted with their view. */
const APPS: Readonly<Record<string, (board: Board) => ComponentChild>> = {
  'board-app': (board) => <Leaderboard board={board} />,
  'queries-app': () => <QueryExplorer />,
}

function mount(id: string, part: () => ComponentChild): void {
  const place = document.getElementById(id)
  if (!place || place.dataset.mounted) return
  place.dataset.mounted = 'true'
  render(part(), place)
}

/** Functions that fill figures and enhance tables, once. */
function unfilled(section: HTMLElement, board: Board): (() => void)[] {
  const tables = section.querySelectorAll<HTMLElement>('.table[id]:not([data-mounted])')
  const figures = section.querySelectorAll<HTMLElement>('[data-figure]:empty')
  return [
    ...[...tables].map((box) => () => {
      if (box.dataset.mounted) return
      box.dataset.mounted = 'true'
      enhance(box)
    }),
    ...[...figures].map((place) => () => {
      if (place.childElementCount === 0) render(chartOf(place.dataset.figure ?? '', board), place)
    }),
  ]
}

function chartOf(id: string, board: Board): ComponentChild {
  if (id === 'grid') return <Grid board={board} />
  if (id === 'cost') return <TradeOffs board={board} />
  return id === 'differences' ? <Differences /> : <Chart id={id} rows={rowsOf(id)} />
}

/**
 * Shows the view that the link names (mark `interactive`). While idle, draws the other views for paper
 * (`data-ready`).
 */
async function start(): Promise<void> {
  document.documentElement.dataset.app = 'true'
  const data = await board()
  listen()
  mount('downloads', () => <Downloads />)
  let shown = ''
  let scrolled = 0
  effect(() => {
    const { section } = route.value
    if (section === shown) return
    shown = section
    showView(section, data)
    scrolled = scrollY
  })
  await drawnAll()
  performance.mark('interactive')
  for (const section of sections)
    for (const fill of unfilled(section, data)) {
      await new Promise((idle) => (globalThis.requestIdleCallback ?? setTimeout)(() => idle(undefined)))
      fill()
    }
  await drawnAll()
  // Charts above have moved the target. A reader who has scrolled stays.
  if (scrollY === scrolled) showView(route.value.section, data)
  document.documentElement.dataset.ready = 'true'
}

start()
