import { join } from 'node:path'
import { assembleCommunities, communityColumns } from '../graph/communities/assemble.ts'
import { resolveFinder } from '../graph/communities/index.ts'
import type { Communities } from '../graph/graph.ts'
import { type Incidence, membersOf } from '../graph/incidence.ts'
import { readArrays, writeArrays } from '../store/arrays.ts'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import { writeCommunities } from '../tables/communities.ts'
import { graph } from './graph.ts'
import { LacksPreparation, type Recipe } from './recipe.ts'
import { textUnits } from './text-units.ts'

const ARRAYS = 'communities.safetensors'
const made = new WeakMap<Recipe, Artifact<Communities>>()

/** Communities by `prepare.communities`. Throws a UserError where the config has no such line. */
export function communitiesTable(recipe: Recipe): Artifact<Communities> {
  const known = made.get(recipe)
  if (known) return known
  if (!recipe.communities) throw new LacksPreparation('communities')
  const { finder, params } = resolveFinder(recipe.communities)
  const { path: _path, ...rest } = params
  const artifact = defineArtifact({
    name: 'communities',
    version: 1,
    params: {
      finder: finder.name,
      version: finder.version,
      params: rest,
      files: finder.files?.(params) ?? {},
    },
    inputs: { graph: graph(recipe), chunks: textUnits(recipe) },
    async build(folder, inputs, { progress }) {
      progress('communities', 0, 1)
      const opened = await inputs.graph()
      const columns = communityColumns(await finder.find(opened, params), opened.entities.size)
      const communities = assembleCommunities(columns, opened)
      const chunks = await inputs.chunks()
      const idsOf = (incidence: Incidence, id: (member: number) => string) =>
        communities.ids.map((_, row) => Array.from(membersOf(incidence, row), id))
      writeCommunities(join(folder, 'communities.parquet'), {
        ...communities,
        entityIds: idsOf(communities.entities, (entity) => opened.entities.ids[entity]),
        relationshipIds: idsOf(communities.relationships, (row) => opened.relationships.ids[row]),
        chunkIds: idsOf(communities.chunks, (row) => chunks[row].id),
      })
      const { levels, parents, entities } = columns
      writeArrays(join(folder, ARRAYS), { levels, parents, ...entities })
    },
    async open(folder, inputs) {
      const { arrays } = readArrays(join(folder, ARRAYS))
      const entities: Incidence = {
        offsets: arrays.offsets as Uint32Array,
        members: arrays.members as Uint32Array,
        counts: arrays.counts as Uint32Array,
      }
      const columns = {
        levels: arrays.levels as Uint32Array,
        parents: arrays.parents as Int32Array,
        entities,
      }
      return assembleCommunities(columns, await inputs.graph())
    },
  })
  made.set(recipe, artifact)
  return artifact
}
