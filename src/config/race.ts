import type { Metric } from '../metrics/define.ts'
import { parseMeasure } from '../metrics/parse.ts'
import type { Registry } from '../registry.ts'
import type { Race } from './experiment.ts'
import type { Reading } from './reading.ts'
import type { RawConfig } from './schema.ts'

/** What `race` says; trials race by the primary measure, which must be a mean over queries. */
export function readRace(
  { race, seed }: RawConfig,
  by: string | undefined,
  metrics: Registry<Metric>,
  { problems, locate }: Pick<Reading, 'problems' | 'locate'>,
): Race | null {
  if (!race) return null
  const mean = by === undefined ? 'arithmetic' : parseMeasure(by, { metrics }).metric.mean
  if (mean !== 'arithmetic')
    problems.push({
      path: ['race'],
      on: 'key',
      message: `trials race by a mean over queries, and \`${by}\` has ${mean === 'geometric' ? 'a geometric one' : 'none'}; name another measure in \`compare.by\``,
    })
  const [firstTest, blocks] = ['firstTest', 'blocks'].map((key) => locate(['race', key]))
  return {
    level: race.level,
    firstTest: race.firstTest,
    blocks: race.blocks ?? null,
    seed: race.seed ?? seed,
    locations: { firstTest, blocks },
  }
}
