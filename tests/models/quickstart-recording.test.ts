import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { textsToEmbed } from '../../scripts/recording/texts.ts'
import { loadConfig } from '../../src/config/load.ts'
import { openExperiment } from '../../src/experiment/plan/open.ts'
import { readVectorRecording } from '../../src/models/embedders/recorded.ts'
import { sharedFolder } from '../temporary.ts'

const root = resolve(import.meta.dirname, '..', '..')
const store = sharedFolder()

it.each(['quickstart', 'dashboard'])(
  'the recording holds every text that %s embeds',
  { timeout: 60_000 },
  async (name) => {
    const config = join(root, 'configs', `${name}.yaml`)
    const recording = await readVectorRecording(
      join(root, 'datasets', 'quickstart', 'all-MiniLM-L6-v2.parquet'),
    )
    const experiment = await loadConfig(config, { set: ['prepare.embedder=lsa'], env: {}, folder: root })
    const texts = await textsToEmbed(await openExperiment(experiment, store))
    const missing = texts.filter((text) => !recording.has(text))
    expect(texts.length).toBeGreaterThan(5000)
    expect(
      missing,
      'the world or what is made of it changed: npm run record -- --model FOLDER --date YYYY-MM-DD',
    ).toEqual([])
    expect(recording.source).toMatchObject({ model: 'all-MiniLM-L6-v2 (int8)', dims: 384 })
    expect(recording.modelSha256).toMatch(/^[0-9a-f]{64}$/)
  },
)
