import { z } from 'zod'
import { headingPath } from '../../../text/headings.ts'
import { defineContext } from './index.ts'

export default defineContext({
  name: 'section',
  version: 1,
  summary: "the path of headings down to the chunk; the chunk's title if there are no headings",
  params: z.strictObject({}),
  make: () => ({ prefix: headingPath }),
})
