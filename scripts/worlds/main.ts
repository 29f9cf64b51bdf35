import { join, resolve } from 'node:path'
import { quickstart } from './quickstart.ts'
import { writeWorld } from './world.ts'
import { SEED, WORLDS } from './worlds.ts'

/**
 * Writes the invented worlds of datasets/: the quickstart's, and that of each described system (configs/systems).
 *
 *     npm run worlds
 *     npm run worlds -- FOLDER SEED           worlds of the systems, of another seed
 *     npm run worlds -- FOLDER SEED BLOCKS    a world like the quickstart's, but so many times as large
 */
const datasets = resolve(import.meta.dirname, '../../datasets')
const [folder, seed = SEED, blocks] = process.argv.slice(2)
if (folder === undefined) writeWorld(join(datasets, 'quickstart'), quickstart(SEED))
if (blocks !== undefined) writeWorld(folder, quickstart(Number(seed), Number(blocks)))
else
  for (const [name, make] of Object.entries(WORLDS))
    writeWorld(join(folder ?? join(datasets, 'systems'), name), make(Number(seed)))
