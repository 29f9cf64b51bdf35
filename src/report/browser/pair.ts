interface PageTrials {
  readonly best: number | null
  readonly baseline: number | null
  readonly shape?: { readonly trials: readonly number[] } | undefined
}

/** The two compared trials: params `a` and `b`, or the best and the baseline. */
export function comparedPair(
  { best, baseline, shape }: PageTrials,
  param: (name: string) => string,
): readonly [a: number, b: number] {
  const places = shape?.trials ?? []
  const given = (name: string) => {
    const place = Number(param(name))
    return param(name) !== '' && places.includes(place) ? place : undefined
  }
  const a = given('a') ?? (best !== null && places.includes(best) ? best : places[0])
  const second = [baseline, ...places].find(
    (place) => place !== null && place !== a && places.includes(place),
  )
  return [a ?? 0, given('b') ?? second ?? a ?? 0]
}
