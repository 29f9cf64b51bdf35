import type { Cast } from './cast.ts'
import type { Entity, Kind } from './model.ts'
import type { Random } from './random.ts'

/** Draws a card that fits; undefined where none of its kind does. */
export type Draw = (kind: Kind, fits?: (entity: Entity) => boolean) => Entity | undefined

/**
 * Draws entities of a kind like cards from a pack, which gets a second pack beneath it when it runs out or holds none
 * that fits: names come up about equally often, without a pattern, and none becomes a common word.
 */
export function createDrawer(random: Random, cast: Cast): Draw {
  const packs = new Map<Kind, Entity[]>()
  return (kind, fits = () => true) => {
    const pack = packs.get(kind) ?? []
    packs.set(kind, pack)
    let place = pack.findLastIndex(fits)
    if (place < 0) {
      pack.unshift(...random.shuffle(cast.entities[kind]))
      place = pack.findLastIndex(fits)
    }
    return place < 0 ? undefined : pack.splice(place, 1)[0]
  }
}
