import { say } from '../words.tsx'

export function StrategyMark({ hue, shape }: { readonly hue: number; readonly shape: string }) {
  return (
    <svg class={`mark hue-${hue}`} viewBox="-6 -6 12 12" aria-hidden="true">
      <path d={shape} />
    </svg>
  )
}

interface KeyEntry {
  readonly name: string
  readonly hue: number
  readonly shape: string
  readonly words?: string
}

/** Key of colours and shapes, with explanations if any. */
export function Key({ entries }: { readonly entries: readonly KeyEntry[] }) {
  return (
    <ul class={entries.some(({ words }) => words) ? 'key explained' : 'key'}>
      {entries.map(({ name, words, ...mark }) => (
        <li>
          <StrategyMark {...mark} />
          <span>{words ? say`${<b>{name}</b>}: ${words}.` : name}</span>
        </li>
      ))}
    </ul>
  )
}
