import type { Finding } from '../../results/summary.ts'
import { quantity } from '../numbers.ts'

/** An empty text is no finding. */
export function warning(about: string, text: string): Finding[] {
  return text === '' ? [] : [{ severity: 'warning', about, text }]
}

export function note(about: string, text: string): Finding[] {
  return text === '' ? [] : [{ severity: 'note', about, text }]
}

export function listed(names: readonly string[], max = 6): string {
  const more = names.length > max ? `, ${quantity(names.length - max)} more` : ''
  return `${names.slice(0, max).join(', ')}${more}`
}
