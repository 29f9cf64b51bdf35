import { performance } from 'node:perf_hooks'
import type { Experiment } from '../config/experiment.ts'
import { engineKinds, versionOf } from '../engines/index.ts'
import { collectDiagnostics } from '../errors.ts'
import { find } from '../registry.ts'

/** Response of an engine that was asked for its version. */
interface CheckedEngine {
  readonly name: string
  readonly kind: string
  readonly version: string
  readonly milliseconds: number
}

/** Asks each engine of a config for its version. Throws a UserError that names every engine that does not answer. */
export async function checkEngines({ engines, file }: Experiment): Promise<CheckedEngine[]> {
  const diagnostics = collectDiagnostics()
  const checked: CheckedEngine[] = []
  for (const [name, choice] of Object.entries(engines)) {
    const { server } = find(engineKinds, choice.name)
    const begin = performance.now()
    const version = await diagnostics.attemptAsync(
      () => versionOf(server),
      ({ message }) => ({ file, message: `the engine \`${name}\`: ${message}` }),
    )
    const milliseconds = Math.round(performance.now() - begin)
    if (version !== undefined) checked.push({ name, kind: server.kind, version, milliseconds })
  }
  diagnostics.throwIfAny()
  return checked
}

export function enginesInWords(engines: readonly CheckedEngine[]): string[] {
  if (engines.length === 0) return ['the config names no engines']
  return engines.map(
    ({ name, kind, version, milliseconds }) => `${name}: ${kind} ${version} answers, ${milliseconds} ms`,
  )
}
