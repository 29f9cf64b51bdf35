import type { Cast } from './cast.ts'
import type { Entity, Kind, Relation } from './model.ts'
import type { Random } from './random.ts'

/** Draws an entity of a kind for a relation; undefined where none fits. */
export type Draw = (relation: Relation, kind: Kind, fits?: (entity: Entity) => boolean) => Entity | undefined

/**
 * Draws entities like cards from a pack, one pack a relation, which gets a second pack beneath it when it runs out or
 * holds none that fits: names come up about equally often, without a pattern, and none becomes a common word.
 */
export function createDrawer(random: Random, cast: Cast): Draw {
  const packs = new Map<Relation, Entity[]>()
  return (relation, kind, fits = () => true) => {
    const pack = packs.get(relation) ?? []
    packs.set(relation, pack)
    const fitting = (one: Entity) => one.kind === kind && fits(one)
    let place = pack.findLastIndex(fitting)
    if (place < 0) {
      pack.unshift(...random.shuffle(cast.entities[kind]))
      place = pack.findLastIndex(fitting)
    }
    return place < 0 ? undefined : pack.splice(place, 1)[0]
  }
}
