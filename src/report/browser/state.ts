import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { meta } from './data.ts'
import { comparedPair } from './pair.ts'

/** State of the page that a link restores: the section and, by name, what is sorted, filtered, pinned and open. */
export interface Route {
  readonly section: string
  readonly params: Readonly<Record<string, string>>
}

/** `#queries?q=q17&a=3` in its parts. A hash without a section is the first view. */
export function parseRoute(hash: string): Route {
  const [section, params = ''] = hash.replace(/^#/, '').split('?', 2)
  return { section: decode(section) || 'verdict', params: Object.fromEntries(new URLSearchParams(params)) }
}

export function routeHash({ section, params }: Route): string {
  const words = new URLSearchParams(Object.entries(params).filter(([, value]) => value !== '')).toString()
  return `#${encodeURIComponent(section)}${words && `?${words}`}`
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const route = signal<Route>(parseRoute(typeof location === 'undefined' ? '' : location.hash))

/** Changes params; '' removes one. A step back undoes the change, unless it replaces the present state. */
export function change(params: Readonly<Record<string, string>>, replace = false): void {
  visit({ section: route.value.section, params: { ...route.value.params, ...params } }, replace)
}

/** Shows a section with the present params, and others. */
export function show(section: string, params: Readonly<Record<string, string>> = {}): void {
  visit({ section, params: { ...route.value.params, ...params } }, false)
}

function visit(next: Route, replace: boolean): void {
  const kept = {
    ...next,
    params: Object.fromEntries(Object.entries(next.params).filter(([, value]) => value !== '')),
  }
  const hash = routeHash(kept)
  if (hash !== location.hash) history[replace ? 'replaceState' : 'pushState'](null, '', hash)
  route.value = kept
}

/** Params by name, so that a component is drawn again only if one that it reads has changed. */
const known = new Map<string, ReadonlySignal<string>>()

/** Value of a param; '' if it is not set. */
export function param(name: string): string {
  let value = known.get(name)
  if (!value) {
    value = computed(() => route.value.params[name] ?? '')
    known.set(name, value)
  }
  return value.value
}

/** Indexes of the two compared trials, as the link or the experiment names them. */
export const pairOf = () => comparedPair(meta, param)
