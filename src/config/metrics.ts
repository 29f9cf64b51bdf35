import { customMetric, metricsWith } from '../custom/metric.ts'
import type { Metric } from '../metrics/define.ts'
import { METRICS } from '../metrics/index.ts'
import type { Registry } from '../registry.ts'
import { CODE_FILE, customFile, type Loading, loadCustomFiles } from './custom-files.ts'
import type { CustomMetric } from './experiment.ts'
import type { Path } from './reading.ts'

/** A metric's file and what follows it: `./f1.mjs@5`, `./f1.mjs(beta=2)@5`. */
const FILE = new RegExp(`^(.*${CODE_FILE})([(@].*)?$`)

export interface Metrics {
  /** Measures with the names of custom metrics. */
  readonly names: readonly (string | null)[]
  readonly by: string | undefined
  readonly metrics: Registry<Metric>
  readonly custom: readonly CustomMetric[]
}

/** Loads custom metrics. A name whose file is a problem is null. */
export async function readMetrics(
  { measures, compare }: { readonly measures: readonly string[]; readonly compare: { readonly by?: string } },
  reading: Loading,
): Promise<Metrics> {
  const asked = [
    ...measures.map((text, index) => ({ text, path: ['measures', index] as Path })),
    ...(compare.by === undefined ? [] : [{ text: compare.by, path: ['compare', 'by'] as Path }]),
  ]
  const named = asked.flatMap(({ text, path }) => {
    const [, name, rest = ''] = FILE.exec(text) ?? []
    return name === undefined ? [] : [{ name, rest, path, on: 'value' as const }]
  })
  await loadCustomFiles(named, { registry: METRICS, custom: customMetric }, reading)
  const files = new Map(named.map(({ name, path }) => [name, customFile(name, path, customMetric, reading)]))
  const loaded = [...files.values()].filter((file) => file !== undefined)
  const byPath = new Map(loaded.map((file) => [file.path, file]))
  const byName = new Map<string, string>()
  for (const { path, definition } of byPath.values()) {
    const first = byName.get(definition.name)
    if (first !== undefined)
      reading.problems.push({
        path: ['measures'],
        message: `${first} and ${path} both call themselves \`${definition.name}\`; give one another name`,
      })
    byName.set(definition.name, path)
  }
  const translate = (text: string) => {
    const [, name, rest = ''] = FILE.exec(text) ?? []
    if (name === undefined) return text
    const file = files.get(name)
    return file ? `${file.definition.name}${rest}` : null
  }
  const custom = [...byPath.values()].map(({ path, sha256, definition }) => ({
    name: definition.name,
    path,
    sha256,
  }))
  return {
    names: measures.map(translate),
    by: compare.by === undefined ? undefined : (translate(compare.by) ?? undefined),
    metrics: metricsWith([...byPath.values()].map(({ definition }) => definition)),
    custom,
  }
}
