import type { ComponentChildren } from 'preact'

export function Facts({
  rows,
}: {
  readonly rows: readonly (readonly [name: string, value: ComponentChildren])[]
}) {
  return (
    <dl class="facts">
      {rows.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
