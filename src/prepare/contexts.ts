import { z } from 'zod'
import { createRegistry, type Definition } from '../registry.ts'
import { headingPath } from '../text/headings.ts'
import type { Chunk } from '../types.ts'

/** What stands before a chunk's text where it is searched and embedded. */
export interface Context extends Definition {
  /** Raised whenever the prefix of the same chunk would differ. */
  readonly version: number
  /** '' for nothing. */
  prefix(chunk: Pick<Chunk, 'title' | 'section'>): string
}

const params = z.strictObject({})

export const contexts = createRegistry<Context>('context', [
  {
    name: 'title',
    version: 1,
    summary: "the chunk's title (the default)",
    params,
    prefix: ({ title }) => title,
  },
  {
    name: 'section',
    version: 1,
    summary: 'the path of headings down to the chunk; its title where it stands below none',
    params,
    prefix: headingPath,
  },
  { name: 'none', version: 1, summary: 'nothing: the text alone', params, prefix: () => '' },
])
