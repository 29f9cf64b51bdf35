import { join, resolve } from 'node:path'
import { writeWorld } from './world.ts'
import { SEED, WORLDS } from './worlds.ts'

/**
 * Writes the world of each described system (configs/systems) to datasets/systems, or those of another seed elsewhere.
 *
 *     npm run worlds
 *     npm run worlds -- FOLDER SEED
 */
const [folder = resolve(import.meta.dirname, '../../datasets/systems'), seed = SEED] = process.argv.slice(2)
for (const [name, make] of Object.entries(WORLDS)) writeWorld(join(folder, name), make(Number(seed)))
