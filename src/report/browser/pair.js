// @ts-check
import { meta } from './data.js'
import { find } from './dom.js'

/** Indexes of the two compared trials; all selects of the page show the same pair. */
const second =
  meta.baseline !== null && meta.baseline !== meta.best
    ? meta.baseline
    : (meta.shape?.trials.find((place) => place !== meta.best) ?? 0)
export const pair = { a: meta.best ?? 0, b: second }

/** @type {(() => void)[]} */
const listeners = []

/** @param {() => void} listener */
export function onPair(listener) {
  listeners.push(listener)
}

/** Ties the selects `<prefix>-a` and `<prefix>-b` of every section to the pair. */
export function startPair() {
  for (const prefix of ['differences', 'queries'])
    for (const side of /** @type {const} */ (['a', 'b'])) {
      const select = find(`${prefix}-${side}`, HTMLSelectElement)
      if (!select) continue
      select.value = String(pair[side])
      select.addEventListener('change', () => {
        pair[side] = Number(select.value)
        for (const other of ['differences', 'queries']) {
          const twin = find(`${other}-${side}`, HTMLSelectElement)
          if (twin) twin.value = select.value
        }
        for (const listener of listeners) listener()
      })
    }
}
