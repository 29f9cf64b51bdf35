import { basename } from 'node:path'
import { type CutTexts, cutTexts } from '../../corpus/cut-texts.ts'
import { embeddedAs } from '../../corpus/dense/embeddings.ts'
import type { RunTable } from '../../corpus/run-table.ts'
import type { Written } from '../../corpus/written.ts'
import { UserError } from '../../errors.ts'
import type { Artifact } from '../../store/artifact.ts'
import type { Store } from '../../store/store.ts'
import type { Progress, Query } from '../../types.ts'
import { allArtifactsOf, type CompiledTrial, distinct, keysBelow, stepsOf } from './compile.ts'
import type { OpenExperiment } from './open.ts'
import { modelArtifactsOf, nameInConfig } from './requests.ts'

type Opened = Pick<OpenExperiment, 'trials' | 'artifacts' | 'store' | 'dataset'>
type Texts = Artifact<readonly string[]>

function cutCounts({ trials, dataset: { queries } }: Opened): Artifact<CutTexts>[] {
  const count = (...[texts, model, options]: Parameters<typeof cutTexts>) =>
    model.reader ? [cutTexts(texts, model, options)] : []
  const counts = allArtifactsOf(trials).flatMap((artifact) => {
    const { name, inputs } = artifact
    const texts = inputs.texts as Texts
    if (embeddedAs(artifact) === 'chunks') {
      const { params, inputs: embedder } = inputs.embedder
      return count(texts, embedder.base, { prefix: (params as { readonly prefix?: string } | null)?.prefix })
    }
    if (name !== 'cross_encoder' || queries.length === 0) return []
    return count(texts, artifact, { query: medianQuery(queries) })
  })
  return distinct(counts)
}

/** A cross-encoder reads a chunk with a query; chunks are counted once, with one of median length. */
function medianQuery(queries: readonly Pick<Query, 'text'>[]): string {
  const texts = queries.map(({ text }) => text).sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
  return texts[texts.length >> 1]
}

/**
 * Counts tokens of chunks that models do not read, with tokenizers alone. Returns a line for each model without one.
 */
export async function countCuts(open: Opened, progress?: Progress): Promise<string[]> {
  const lines = new Set<string>()
  const keys = keysBelow(open.artifacts)
  for (const artifact of cutCounts(open)) {
    if (!keys.has(artifact.inputs.texts.key)) continue
    try {
      await open.store.prepare(artifact, progress)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      lines.add(`chunks that a model cuts are not counted: ${error.message}`)
    }
  }
  return [...lines]
}

export function lacksCuts(open: Opened): boolean {
  return cutCounts(open).some((artifact) => !open.store.has(artifact))
}

/**
 * Lines on texts without effect: cut chunks, unreadable completions, unmatched passages. Reads stored artifacts only.
 */
export async function unreadLines(open: Opened): Promise<string[]> {
  const { store, trials } = open
  const lines: string[] = []
  for (const artifact of cutCounts(open))
    if (store.has(artifact)) lines.push(...(await cutLine(store, artifact)))
  for (const artifact of modelArtifactsOf(open).filter((artifact) => store.has(artifact))) {
    const { unread, items, lost } = (await store.open(artifact)) as Written<unknown>
    if (unread > 0)
      lines.push(
        `${nameInConfig(artifact)}: ${share(unread, items)} ${lost}: no completion for them could be read`,
      )
  }
  return [...new Set([...lines, ...(await unmatchedLines(store, trials))])]
}

async function cutLine(store: Store, artifact: Artifact<CutTexts>): Promise<string[]> {
  const { model, limit, texts, cut, tokens, unread } = await store.open(artifact)
  if (cut === 0) return []
  const { query } = artifact.params as { readonly query?: string }
  const reads = `the ${number(limit)} tokens that ${model} reads${query === undefined ? '' : ' of a chunk and a query of median length together'}`
  return [
    `${share(cut, texts)} chunks ${cut === 1 ? 'is' : 'are'} longer than ${reads}; ${Math.round((100 * unread) / tokens)} % of their ${number(tokens)} tokens are not read. Use smaller chunks (\`prepare.chunk\`), or index small units of them (\`prepare.index: {tokens: {size: 128}}\`)`,
  ]
}

async function unmatchedLines(store: Store, trials: readonly CompiledTrial[]): Promise<string[]> {
  const lines: string[] = []
  for (const { step, artifacts } of stepsOf(trials)) {
    const artifact = step.recorded && (artifacts[step.recorded.artifact] as Artifact<RunTable>)
    if (!artifact || !store.has(artifact)) continue
    const { texts } = await store.open(artifact)
    if (texts && texts.unmatched > 0)
      lines.push(
        `${basename(step.recorded?.path ?? '')}: ${share(texts.unmatched, texts.all)} texts match no chunk and are left out of the rankings`,
      )
  }
  return lines
}

function share(part: number, all: number): string {
  return `${number(part)} of ${number(all)}`
}

function number(value: number): string {
  return value.toLocaleString('en')
}
