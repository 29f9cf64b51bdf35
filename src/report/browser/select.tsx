import { useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { change, param } from './state.ts'

interface SelectProps {
  readonly id: string
  /** Param of the page's link. */
  readonly name: string
  readonly label: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly value?: string
  /** Params that a change removes. */
  readonly resets?: Readonly<Record<string, ''>>
}

/** A select of a param; options are memoised by identity. */
export function Select({ id, name, label, options, value = param(name), resets }: SelectProps) {
  const items = useMemo(
    () =>
      options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      )),
    [options],
  )
  return (
    <label>
      <span>{label}</span>{' '}
      <select
        id={id}
        value={value}
        title={options.find(([option]) => option === value)?.[1]}
        onChange={(event) => change({ ...resets, [name]: event.currentTarget.value })}
      >
        {items}
      </select>
    </label>
  )
}

/** The value of the latest `load`; null before the first one. */
export function useLoaded<T>(load: () => Promise<T>, inputs: readonly unknown[]): T | null {
  const [loaded, setLoaded] = useState<T | null>(null)
  useLayoutEffect(() => {
    let isCurrent = true
    load().then((value) => isCurrent && setLoaded(() => value))
    return () => {
      isCurrent = false
    }
  }, inputs)
  return loaded
}
