import { Idiomorph } from 'idiomorph'

/** Script of the server's pages: follows the files by server-sent events, and searches while typing. */
const main = document.getElementById('main') as HTMLElement
const lost = document.getElementById('lost') as HTMLElement
const isLive = document.body.dataset.live !== undefined

/** Milliseconds after the last key. */
const PAUSE = 120

let events: EventSource | undefined

/** A hidden page rests: a browser keeps few connections to a host. */
function follow(): void {
  events?.close()
  if (document.hidden || !isLive) return
  events = new EventSource(location.pathname + location.search)
  events.onmessage = ({ data }) => {
    lost.hidden = true
    show(JSON.parse(data))
  }
  events.onopen = () => {
    lost.hidden = true
  }
  events.onerror = () => {
    lost.hidden = false
  }
}

/** Changes the page in place, so that focus, selection and input stay. */
function show(html: string): void {
  Idiomorph.morph(main, html, {
    morphStyle: 'innerHTML',
    callbacks: { beforeAttributeUpdated: (name, element) => !isOfReader(name, element) },
  })
}

/** True for attributes that the reader sets. */
function isOfReader(name: string, element: Element): boolean {
  return name === 'open' || (element instanceof HTMLInputElement && ['checked', 'value'].includes(name))
}

let typing: ReturnType<typeof setTimeout> | undefined
document.addEventListener('input', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.id !== 'search') return
  clearTimeout(typing)
  typing = setTimeout(() => {
    const query = new URLSearchParams(location.search)
    if (target.value === '') query.delete('q')
    else query.set('q', target.value)
    history.replaceState(null, '', query.size > 0 ? `?${query}` : location.pathname)
    follow()
  }, PAUSE)
})

document.addEventListener('visibilitychange', follow)
// A page in the back-forward cache holds no connection.
addEventListener('pagehide', () => events?.close())
addEventListener('pageshow', follow)
