import { basename, extname } from 'node:path'
import { UserError } from '../../../errors.ts'

/** Throws a UserError for a pickle: opening one runs the code that it names. */
export function refusePickle(path: string): void {
  if (!/^\.(?:pickle|pkl|pklz|p)$/i.test(extname(path))) return
  const exported = /\.pklz$/i.test(path) ? 'igraph.Graph.Read_Picklez' : 'igraph.Graph.Read_Pickle'
  throw new UserError({
    file: path,
    message: `is a pickle of a Python object, and opening one runs the code that it names. Export it where you trust it: python -c "import igraph; ${exported}('${basename(path)}').write_graphml('graph.graphml')", then \`graph: {graphml: graph.graphml}\``,
  })
}
