import { useMemo } from 'preact/hooks'

interface SelectProps {
  readonly id: string
  readonly label: string
  readonly value: string
  /** Memoised by identity. */
  readonly options: readonly (readonly [value: string, name: string])[]
  readonly onSelect: (value: string) => void
}

export function Select({ id, label, value, options, onSelect }: SelectProps) {
  const items = useMemo(
    () =>
      options.map(([value, name]) => (
        <option key={value} value={value}>
          {name}
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
        title={options.find(([one]) => one === value)?.[1]}
        onChange={(event) => onSelect(event.currentTarget.value)}
      >
        {items}
      </select>
    </label>
  )
}
