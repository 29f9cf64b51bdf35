import { z } from 'zod'
import { defineContext } from './index.ts'

export default defineContext({
  name: 'none',
  version: 1,
  summary: 'no context: only the text',
  params: z.strictObject({}),
  make: () => ({ prefix: () => '' }),
})
