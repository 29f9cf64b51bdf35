// @ts-check
import { element } from './dom.js'

/**
 * Shows name and figures of a chart's marks: on hover, and by arrow keys when the chart has the focus.
 * @param {HTMLElement} box
 * @returns {(handler: unknown, event: MouseEvent, item: {tooltip?: unknown} | null, value: unknown) => void} tooltip handler for Vega
 */
export function tipsOf(box) {
  const figure = /** @type {HTMLElement} */ (box.parentElement)
  const tip =
    figure.querySelector('.tip') ?? figure.appendChild(element('div', { class: 'tip', role: 'status' }))
  /** @type {SVGElement | undefined} */
  let marked
  /** @param {string} text @param {DOMRect} at */
  const show = (text, at) => {
    const around = figure.getBoundingClientRect()
    tip.textContent = text
    if (!(tip instanceof HTMLElement)) return
    const left = Math.min(at.right - around.left + 8, figure.clientWidth - tip.offsetWidth)
    tip.style.left = `${Math.max(0, left)}px`
    tip.style.top = `${at.bottom - around.top + 8}px`
  }
  const hide = () => {
    tip.textContent = ''
    marked?.classList.remove('focused')
    marked = undefined
  }
  box.onkeydown = (event) => {
    if (event.key === 'Escape') return hide()
    if (event.key === 'Enter' && marked) marked.dispatchEvent(new MouseEvent('click', { bubbles: true }))
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    const marks = marksOf(box)
    if (step === undefined || marks.length === 0) return
    event.preventDefault()
    const at = marks.findIndex(({ path }) => path === marked)
    const next = marks[at < 0 ? 0 : Math.min(marks.length - 1, Math.max(0, at + step))]
    marked?.classList.remove('focused')
    marked = next.path
    marked.classList.add('focused')
    show(tipText(next.tooltip), next.path.getBoundingClientRect())
  }
  box.onblur = hide
  return (_, event, item, value) => {
    if (marked) return
    if (!item || value === null || value === undefined) return hide()
    show(tipText(value), new DOMRect(event.clientX, event.clientY, 0, 0))
  }
}

/**
 * Drawn marks with a tooltip, from left to right. Vega's renderer binds each mark to its element.
 * @param {HTMLElement} box
 * @returns {{path: SVGElement, tooltip: unknown}[]}
 */
export function marksOf(box) {
  const paths = /** @type {(SVGElement & {__data__?: {tooltip?: unknown}})[]} */ ([
    ...box.querySelectorAll('svg path, svg rect'),
  ])
  return paths
    .flatMap((path) => {
      const tooltip = path.__data__?.tooltip
      return tooltip === undefined || tooltip === null
        ? []
        : [{ path, tooltip, at: path.getBoundingClientRect() }]
    })
    .sort((a, b) => a.at.x - b.at.x || a.at.y - b.at.y)
}

/**
 * Lines of a tooltip: its name, then the figures.
 * @param {unknown} value
 */
function tipText(value) {
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([name, text]) => (name === 'trial' ? text : `${name}: ${text}`))
    .join('\n')
}
