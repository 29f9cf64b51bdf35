import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FORMAT } from '../results/format.ts'
import type { Manifest, Summary } from '../results/summary.ts'
import { writeWhole } from '../results/write.ts'
import type { Artifact } from '../store/artifact.ts'
import { hashOf, sha256 } from '../store/hash.ts'
import type { PlannedStep } from './count-steps.ts'
import type { OpenExperiment } from './open.ts'
import type { Plan } from './plan.ts'

/** The files that are the result: equal experiments have equal bytes here. Timings, plan and machine are not among them. */
export const RESULT_FILES = [
  'queries.parquet',
  'labels.parquet',
  'trials.parquet',
  'scores.parquet',
  'gold.parquet',
  'rankings.parquet',
  'texts.parquet',
  'curves.parquet',
] as const

interface ManifestInput {
  readonly open: OpenExperiment
  readonly plan: Plan
  readonly planned: readonly PlannedStep[]
  readonly computed: Readonly<Record<string, number>>
  readonly summary: Summary
  readonly machine: Readonly<Record<string, string>>
}

/** Writes `manifest.json`: what the result was made from and its hash. */
export function writeManifest(folder: string, input: ManifestInput): void {
  const { open, plan, planned, computed, summary, machine } = input
  const files = Object.fromEntries(
    RESULT_FILES.map((file) => [file, sha256(readFileSync(join(folder, file)))]),
  )
  const steps: Record<string, number> = {}
  for (const { name, count } of planned) steps[name] = (steps[name] ?? 0) + count
  const manifest: Manifest = {
    format: FORMAT,
    version: plan.version,
    result: hashOf({ files, summary: sha256(JSON.stringify(summary)) }),
    plan: plan.hash,
    files,
    config: sha256(readFileSync(open.experiment.file)),
    dataset: open.dataset.hash,
    artifacts: Object.fromEntries(
      allBelow(open.artifacts).map(({ name, key }) => [`${name}/${key.slice(0, 12)}`, key]),
    ),
    steps: { planned: steps, exact: planned.every(({ exact }) => exact), computed },
    machine,
  }
  writeWhole(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

/** The artifacts and all that they are built from, each once: `touchstone clean --keep` goes by them. */
function allBelow(artifacts: readonly Artifact<unknown>[]): Artifact<unknown>[] {
  const found = new Map<string, Artifact<unknown>>()
  const visit = (artifact: Artifact<unknown>) => {
    if (found.has(artifact.key)) return
    found.set(artifact.key, artifact)
    for (const input of Object.values(artifact.inputs)) visit(input)
  }
  for (const artifact of artifacts) visit(artifact)
  return [...found.values()]
}
