/** @jsxImportSource preact */
import { effect, useSignal } from '@preact/signals'
import { type ComponentChild, render } from 'preact'
import { Chart, drawnAll, rowsOf } from './charts.tsx'
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
    if (!one.hidden) fill(one)
  }
  for (const link of document.querySelectorAll<HTMLAnchorElement>('nav a')) {
    const isCurrent = link.getAttribute('href') === `#${view}`
    if (isCurrent) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
    if (isCurrent) document.title = `${link.textContent} · ${meta.experiment} · Touchstone report`
  }
  if (target && target !== first) target.scrollIntoView({ behavior: 'instant' })
  else scrollTo({ top: 0, behavior: 'instant' })
}

/** Puts components into a section's tables and figures that have none yet. */
function fill(section: HTMLElement): void {
  for (const box of section.querySelectorAll<HTMLElement>('.table:not(.static .table, [data-mounted])')) {
    const table = readTable(box)
    box.dataset.mounted = 'true'
    box.replaceChildren()
    render(<DataTable {...table} />, box)
  }
  for (const place of section.querySelectorAll<HTMLElement>('[data-figure]:empty'))
    render(chartOf(place.dataset.figure ?? ''), place)
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

/** Mounts the application, shows the view that the link names, then draws what other views hold. `data-ready` ends it. */
async function start(): Promise<void> {
  document.documentElement.dataset.app = 'true'
  listen()
  const mount = (id: string, part: ComponentChild) => {
    const place = document.getElementById(id)
    place?.replaceChildren()
    if (place) render(part, place)
  }
  mount('copy-link', <CopyLink />)
  let shown = ''
  effect(() => {
    const { section } = route.value
    if (section === shown) return
    shown = section
    showView(section)
  })
  mount('differences-pair', differencesPair)
  mount('differences-count', differencesCount)
  mount('grid-caption', gridCaption)
  mount('downloads', <Downloads />)
  mount('queries-app', <QueryExplorer />)
  if (document.getElementById('board-app')) mount('board-app', <Leaderboard data={await board()} />)
  await drawnAll()
  for (const section of sections) {
    await new Promise((idle) => (globalThis.requestIdleCallback ?? setTimeout)(() => idle(undefined)))
    fill(section)
  }
  await drawnAll()
  // Charts that were drawn since have moved what the link names.
  showView(route.value.section)
  document.documentElement.dataset.ready = 'true'
}

start()
