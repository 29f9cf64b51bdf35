import type { Experiment } from '../../config/experiment.ts'
import type { Choice } from '../../corpus/recipe.ts'
import { chatProviders } from '../../models/chat/providers/index.ts'
import { embedders } from '../../models/embedders/index.ts'
import type { EndpointParams } from '../../models/rerank-endpoint.ts'
import { rerankers } from '../../models/rerankers/index.ts'
import { resolve } from '../../registry.ts'

/** Lines with the most requests that each server of a config gets at once: embedders, rerankers, language models. */
export function requestsAtOnce({ recipes, rerankers: named, models }: Experiment): string[] {
  const lines = [
    ...recipes.flatMap(({ embedder, graphEmbedder }) => [embedder, graphEmbedder].flatMap(ofEmbedder)),
    ...Object.entries(named).flatMap(([name, choice]) => ofReranker(name, choice)),
    ...Object.entries(models).map(([name, choice]) => {
      const { params } = resolve(chatProviders, choice)
      return inWords(`model \`${name}\``, (params as { readonly concurrency: number }).concurrency)
    }),
  ]
  return [...new Set(lines)]
}

function ofEmbedder(choice: Choice | undefined): string[] {
  // A custom file is no server's.
  if (!choice || choice.file) return []
  const { definition, params } = resolve(embedders, choice)
  const requests = definition.requests?.(params)
  if (!requests) return []
  const { model } = params as { readonly model?: unknown }
  return [inWords(`embedder ${definition.name} \`${model}\``, requests.atOnce, `${requests.texts} texts`)]
}

function ofReranker(name: string, choice: Choice): string[] {
  const { definition, params } = resolve(rerankers, choice)
  if (!definition.wire) return []
  const { concurrency, passagesPerRequest } = params as object as EndpointParams
  return [inWords(`reranker \`${name}\``, concurrency, `${passagesPerRequest} passages`)]
}

function inWords(server: string, atOnce: number, holding?: string): string {
  return `${server}: at most ${atOnce} ${atOnce === 1 ? 'request' : 'requests'}${holding ? ` of ${holding}` : ''} at once`
}
