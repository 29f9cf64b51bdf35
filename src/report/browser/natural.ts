const collator = new Intl.Collator('en', { numeric: true })

/** Natural order: q2 before q10. */
export function natural(a: string, b: string): number {
  return collator.compare(a, b)
}
