import { expect, test } from 'vitest'
import { killAtRandom, writeExperiment } from '../experiment/killing.ts'
import { temporaryFolder } from '../temporary.ts'

const MOMENTS = Number(process.env.TOUCHSTONE_KILLS ?? 40)

test(`killed at ${MOMENTS} random moments, the result is the undisturbed one`, async () => {
  const hit = await killAtRandom(writeExperiment(temporaryFolder()), MOMENTS, 7)
  process.stdout.write(`kills by stage: ${JSON.stringify(hit)}\n`)
  for (const stage of ['preparing', 'running', 'finishing'] as const) expect(hit[stage]).toBeGreaterThan(0)
})
