import { renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { GraphExport } from '../corpus/graph/exports/index.ts'
import { graph } from '../corpus/graph/extraction.ts'
import type { Recipe } from '../corpus/recipe.ts'
import { UserError } from '../errors.ts'
import type { OpenExperiment } from '../experiment/plan/open.ts'
import { NEW_FILE, requireOutputFolder, requireOutputs } from '../store/output.ts'
import { diskError, makeFolder, temporaryName } from '../store/write.ts'
import type { Progress } from '../types.ts'

/** Throws a UserError if a graph cannot be written to `out`. */
export function requireGraphOutput(out: string, { folder }: GraphExport): void {
  if (folder) requireOutputFolder(out)
  else requireOutputs([{ path: out, kind: NEW_FILE }])
}

/** Writes the graph of a config, completely or not at all. */
export async function exportGraph(open: OpenExperiment, form: GraphExport, out: string, progress?: Progress) {
  requireGraphOutput(out, form)
  const recipe = graphRecipe(open)
  const writer = form.writer(recipe)
  await open.store.prepare(writer, progress)
  const write = await open.store.open(writer)
  const { entities, relationships } = await open.store.open(graph(recipe))
  const fresh = temporaryName(out)
  try {
    makeFolder(form.folder ? fresh : dirname(fresh))
    const notes = write(fresh)
    requireGraphOutput(out, form)
    renameSync(fresh, out)
    return { entities: entities.size, relationships: relationships.size, notes }
  } catch (error) {
    throw diskError(error) ?? error
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** Throws a UserError if a config makes no graph or several. */
function graphRecipe({ experiment: { file }, recipes }: OpenExperiment): Recipe {
  const graphs = new Map(
    recipes.filter((recipe) => recipe.graph?.length).map((recipe) => [graph(recipe).key, recipe]),
  )
  const [first] = graphs.values()
  if (first === undefined) throw new UserError('makes no graph: it has no `prepare.graph`', file)
  if (graphs.size > 1)
    throw new UserError(
      `makes ${graphs.size} graphs; choose one: --set prepare.graph=... or --set prepare.chunk=...`,
      file,
    )
  return first
}
