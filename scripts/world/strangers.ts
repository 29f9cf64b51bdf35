import type { Names } from './cast.ts'
import { givenName } from './names.ts'
import type { Random } from './random.ts'

/** People and places of anecdotes: named once, and nowhere else in the world. */
export interface Strangers {
  person(woman?: boolean): { readonly name: string; readonly female: boolean }
  place(): string
  year(): string
}

export function createStrangers(random: Random, names: Names): Strangers {
  return {
    person: (woman) => {
      const female = woman ?? random.chance(0.5)
      return { name: `${givenName(female, random.int(28))} ${names.surname()}`, female }
    },
    place: names.place,
    year: () => String(1690 + random.int(150)),
  }
}
