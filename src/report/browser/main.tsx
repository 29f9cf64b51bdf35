/** @jsxImportSource preact */
import { effect } from '@preact/signals'
import { render } from 'preact'
import { drawAll, drawPending, saveChartData, savePicture, specOf } from './charts.js'
import { copyText } from './copy.ts'
import { board, meta } from './data.js'
import { drawDifferences } from './differences.js'
import { fileName, save } from './dom.js'
import { download } from './downloads.js'
import { startGrid } from './grid.js'
import { Leaderboard } from './leaderboard.tsx'
import { QueryExplorer } from './queries.tsx'
import { change, pairOf, param, parseRoute, route, show } from './state.ts'
import { saveTable, sortBy, unfold } from './tables.js'

/** Answers clicks of the buttons and links that stand in the page as it was written. */
function listen(): void {
  document.addEventListener('click', (event) => {
    const target = event.target instanceof Element ? event.target : null
    const link = target?.closest<HTMLAnchorElement>('a[href^="#"]')
    if (link && !link.classList.contains('skip')) {
      event.preventDefault()
      const { section, params } = parseRoute(link.getAttribute('href') ?? '')
      show(section, params)
      return
    }
    const button = target?.closest('button')
    if (!button) return
    const {
      csvOfTable,
      csvOfChart,
      specOfChart,
      pictureOfChart,
      unfold: folded,
      download: wanted,
    } = button.dataset
    if (csvOfTable) saveTable(csvOfTable)
    else if (csvOfChart) saveChartData(csvOfChart)
    else if (pictureOfChart) savePicture(pictureOfChart, button.dataset.as === 'png')
    else if (specOfChart)
      save(
        `${fileName(`${meta.experiment}-${specOfChart}`)}.vl.json`,
        JSON.stringify(specOf(specOfChart), null, 2),
        'application/json',
      )
    else if (wanted) download(wanted)
    else if (folded) {
      unfold(folded)
      button.remove()
    } else if (button.classList.contains('sort') && button.closest('.static, .table')) sortBy(button)
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
  for (const one of sections) one.hidden = viewOf(one) !== view
  for (const link of document.querySelectorAll<HTMLAnchorElement>('nav a')) {
    const isCurrent = link.getAttribute('href') === `#${view}`
    if (isCurrent) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
  document.title = `${document.querySelector(`nav a[href="#${view}"]`)?.textContent} · ${meta.experiment} · Touchstone report`
  drawPending()
  if (target && target !== sections.find((one) => viewOf(one) === view))
    target.scrollIntoView({ behavior: 'instant' })
  else scrollTo({ top: 0, behavior: 'instant' })
}

/** Mounts the application, shows the view that the link names, then draws what other views hold. `data-ready` ends it. */
async function start(): Promise<void> {
  document.documentElement.dataset.app = 'true'
  listen()
  let shown = ''
  effect(() => {
    const { section } = route.value
    if (section === shown) return
    shown = section
    showView(section)
  })
  const place = document.getElementById('board-app')
  if (place) render(<Leaderboard data={await board()} />, place)
  const queries = document.getElementById('queries-app')
  if (queries) render(<QueryExplorer />, queries)
  const button = document.getElementById('copy-link')
  button?.addEventListener('click', async () => {
    const label = button.textContent
    button.textContent = (await copyText(location.href)) ? 'Link copied' : 'Copy it from the address bar'
    setTimeout(() => {
      button.textContent = label
    }, 3000)
  })
  await drawAll()
  await startGrid()
  if (meta.shape) {
    let pair = ''
    let drawing = Promise.resolve()
    effect(() => {
      param('a')
      const [a, b] = pairOf()
      if (`${a} ${b}` === pair) return
      pair = `${a} ${b}`
      drawing = drawing.then(() =>
        drawDifferences([a, b], (q) => {
          change({ q })
          document.getElementById('drill')?.scrollIntoView()
        }),
      )
    })
    await drawing
  }
  // Charts that were drawn since have moved what the link names.
  showView(route.value.section)
  document.documentElement.dataset.ready = 'true'
}

start()
