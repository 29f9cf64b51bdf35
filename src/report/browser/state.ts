import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { meta } from './data.ts'

interface Route {
  readonly section: string
  readonly params: Readonly<Record<string, string>>
}

/** Parses `#queries?q=q17&a=3`. */
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

/** Changes params; '' removes one. `replace` adds no step to the history. */
export function change(params: Readonly<Record<string, string>>, replace = false): void {
  visit({ section: route.value.section, params: { ...route.value.params, ...params } }, replace)
}

export function show(section: string, params: Readonly<Record<string, string>> = {}): void {
  visit({ section, params: { ...route.value.params, ...params } }, false)
}

function visit(next: Route, replace: boolean): void {
  const cleaned = {
    ...next,
    params: Object.fromEntries(Object.entries(next.params).filter(([, value]) => value !== '')),
  }
  const hash = routeHash(cleaned)
  if (hash !== location.hash) history[replace ? 'replaceState' : 'pushState'](null, '', hash)
  route.value = cleaned
}

/** Signals of params, so that a component redraws only for those it reads. */
const signals = new Map<string, ReadonlySignal<string>>()

export function param(name: string): string {
  let value = signals.get(name)
  if (!value) {
    value = computed(() => route.value.params[name] ?? '')
    signals.set(name, value)
  }
  return value.value
}

/** Indexes of the two compared trials: params `a` and `b`, or the best and the baseline. */
export function pairOf(): readonly [a: number, b: number] {
  const places = meta.shape.trials
  const placeOf = (name: string) => places.find((place) => String(place) === param(name))
  const a = placeOf('a') ?? places.find((place) => place === meta.best) ?? places[0] ?? 0
  const others = places.filter((place) => place !== a)
  return [a, placeOf('b') ?? others.find((place) => place === meta.baseline) ?? others[0] ?? a]
}
