/**
 * Cohen's kappa of two raters' yes and no on the same items:
 *
 *     kappa = (observed - expected) / (1 - expected)
 *
 * where `observed` is the share on which they agree and `expected` what they would agree on by chance, each keeping his own
 * share of yes. 1: they agree always; 0: no more than by chance. NaN without items, and where both say the same throughout.
 * Cohen, A Coefficient of Agreement for Nominal Scales, 1960.
 */
export function cohensKappa(one: readonly boolean[], other: readonly boolean[]): number {
  const n = one.length
  const yes = (all: readonly boolean[]) => all.filter(Boolean).length / n
  const observed = one.filter((value, index) => value === other[index]).length / n
  const expected = yes(one) * yes(other) + (1 - yes(one)) * (1 - yes(other))
  return (observed - expected) / (1 - expected)
}
