import { join, resolve } from 'node:path'
import { writeWorld } from './world.ts'
import { SEED, WORLDS } from './worlds.ts'

/**
 * Writes the world of each described system (configs/systems) to datasets/systems.
 *
 *     npm run worlds
 */
for (const [name, make] of Object.entries(WORLDS))
  writeWorld(resolve(join(import.meta.dirname, '../../datasets/systems', name)), make(SEED))
