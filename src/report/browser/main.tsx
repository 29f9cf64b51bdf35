/** @jsxImportSource preact */
import { effect, useSignal } from '@preact/signals'
import { type ComponentChild, render } from 'preact'
import { Chart, drawnAll, rowsOf, whileDrawing } from './charts.tsx'
import { copyText } from './copy.ts'
import { board, meta, trials } from './data.ts'
import { Differences, differencesCount, differencesPair } from './differences.tsx'
import { Downloads } from './downloads.tsx'
import { Grid, gridCaption } from './grid.tsx'
import { Leaderboard } from './leaderboard.tsx'
import { QueryExplorer } from './queries.tsx'
import { parseRoute, route, show } from './state.ts'
import { DataTable, readTable } from './tables.tsx'

/** Follows links within the page, and the steps back and forward. */
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
  // Pictures in closed parts have no size.
  document.addEventListener('toggle', centrePictures, true)
  addEventListener('popstate', read)
  addEventListener('hashchange', read)
}

const sections = [...document.querySelectorAll<HTMLElement>('main > section')]
const viewOf = (section: HTMLElement | undefined) => section?.dataset.view

/** Shows the view of the present section, and scrolls to the section or to what it names within. */
function showView(section: string): void {
  const target = document.getElementById(section)
  const own = sections.find((one) => one === target || one.contains(target)) ?? sections[0]
  const view = viewOf(own)
  const first = sections.find((one) => viewOf(one) === view)
  for (const one of sections) {
    one.hidden = viewOf(one) !== view
    if (one.hidden) continue
    for (const [id, app] of Object.entries(APPS))
      if (one.contains(document.getElementById(id))) mount(id, app)
    for (const fill of unfilled(one)) fill()
  }
  for (const link of document.querySelectorAll<HTMLAnchorElement>('nav a')) {
    const isCurrent = link.getAttribute('href') === `#${view}`
    if (isCurrent) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
    if (isCurrent) document.title = `${link.textContent} · ${meta.experiment} · Touchstone report`
  }
  centrePictures()
  if (target && target !== first) target.scrollIntoView({ behavior: 'instant' })
  else scrollTo({ top: 0, behavior: 'instant' })
}

/** Scrolls open pictures of graphs that are wider than their place to the entity that they are about, once. */
function centrePictures(): void {
  for (const box of document.querySelectorAll<HTMLElement>('details.network[open] > .scroll')) {
    const entity = box.querySelector('.start') ?? box.querySelector('.goal')
    if (!entity || box.clientWidth === 0 || box.dataset.centred) continue
    box.dataset.centred = 'true'
    const [own, around] = [entity.querySelector('circle'), box].map((one) => one?.getBoundingClientRect())
    if (own && around) box.scrollLeft += own.left - around.left - around.width / 2
  }
}

/** Applications of views, which read most of the page's data: mounted when their view is opened. */
const APPS: Readonly<Record<string, () => ComponentChild | Promise<ComponentChild>>> = {
  'board-app': async () => <Leaderboard data={await board()} />,
  'queries-app': () => <QueryExplorer />,
}

/** Renders a part into its place, once. */
function mount(id: string, part: () => ComponentChild | Promise<ComponentChild>): void {
  const place = document.getElementById(id)
  if (!place || place.dataset.mounted) return
  place.dataset.mounted = 'true'
  const draw = (made: ComponentChild) => {
    place.replaceChildren()
    render(made, place)
  }
  const made = part()
  if (made instanceof Promise) whileDrawing(made.then(draw))
  else draw(made)
}

/** Functions that put components into the tables and figures of a section that have none yet. */
function unfilled(section: HTMLElement): (() => void)[] {
  const tables = section.querySelectorAll<HTMLElement>('.table:not(.static .table, [data-mounted])')
  const figures = section.querySelectorAll<HTMLElement>('[data-figure]:empty')
  return [
    ...[...tables].map((box) => () => {
      // Its view was opened since.
      if (box.dataset.mounted) return
      const table = readTable(box)
      box.dataset.mounted = 'true'
      box.replaceChildren()
      render(<DataTable {...table} />, box)
    }),
    ...[...figures].map((place) => () => {
      if (place.childElementCount === 0) render(chartOf(place.dataset.figure ?? ''), place)
    }),
  ]
}

function chartOf(id: string): ComponentChild {
  if (id === 'grid') return <Grid trials={trials} />
  return id === 'differences' ? <Differences /> : <Chart id={id} rows={rowsOf(id)} />
}

/** Button that copies the link of the page as it is now. */
function CopyLink() {
  const label = useSignal('Copy link')
  const copy = async () => {
    label.value = (await copyText(location.href)) ? 'Link copied' : 'Copy it from the address bar'
    setTimeout(() => {
      label.value = 'Copy link'
    }, 3000)
  }
  return (
    <button type="button" class="link" onClick={copy}>
      {label}
    </button>
  )
}

/**
 * Mounts the application and shows the view that the link names, which the mark `interactive` ends. While the page idles it
 * draws the other views' charts and tables one by one, for paper and so that they open at once; `data-ready` ends that.
 */
async function start(): Promise<void> {
  document.documentElement.dataset.app = 'true'
  listen()
  mount('copy-link', () => <CopyLink />)
  mount('differences-pair', () => differencesPair)
  mount('differences-count', () => differencesCount)
  mount('grid-caption', () => gridCaption)
  mount('downloads', () => <Downloads />)
  let shown = ''
  let scrolled = 0
  effect(() => {
    const { section } = route.value
    if (section === shown) return
    shown = section
    showView(section)
    scrolled = scrollY
  })
  await drawnAll()
  performance.mark('interactive')
  for (const section of sections)
    for (const fill of unfilled(section)) {
      await new Promise((idle) => (globalThis.requestIdleCallback ?? setTimeout)(() => idle(undefined)))
      fill()
    }
  await drawnAll()
  // Charts that were drawn since have moved what the link names. A reader who has scrolled stays there.
  if (scrollY === scrolled) showView(route.value.section)
  document.documentElement.dataset.ready = 'true'
}

start()
