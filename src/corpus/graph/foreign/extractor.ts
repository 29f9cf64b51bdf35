import { basename, extname } from 'node:path'
import { z } from 'zod'
import { UserError } from '../../../errors.ts'
import { hashFile } from '../../../store/input.ts'
import { defineExtractor } from '../extractors/define.ts'
import { checkOver, overChunks } from './graph.ts'
import { type GraphRecords, graphOfRecords } from './records.ts'

/** Extractor of a graph in one file, over any corpus. */
export function fileExtractor({
  name,
  summary,
  describe,
  read,
}: {
  readonly name: string
  readonly summary: string
  readonly describe: string
  readonly read: (path: string) => GraphRecords
}) {
  const open = (path: string) => {
    refusePickle(path)
    return graphOfRecords(path, read(path))
  }
  return defineExtractor({
    name,
    version: 2,
    summary,
    params: z.strictObject({ path: z.string().min(1).describe(describe) }),
    only: 'path',
    files: ({ path }) => ({ graph: hashFile(path, `prepare.graph: ${name}`) }),
    check: (documents, { path }) => checkOver(open(path), documents),
    extract: ({ chunks }, { path }) => overChunks(open(path), chunks),
  })
}

/** Throws a UserError for a pickle: opening one runs the code that it names. */
export function refusePickle(path: string): void {
  if (!/^\.(?:pickle|pkl|pklz|p)$/i.test(extname(path))) return
  const exported = /\.pklz$/i.test(path) ? 'igraph.Graph.Read_Picklez' : 'igraph.Graph.Read_Pickle'
  throw new UserError({
    file: path,
    message: `is a pickle of a Python object, and opening one runs the code that it names. Export it where you trust it: python -c "import igraph; ${exported}('${basename(path)}').write_graphml('graph.graphml')", then \`graph: {graphml: graph.graphml}\``,
  })
}
