import { z } from 'zod'
import { defineContext } from './index.ts'

export default defineContext({
  name: 'title',
  version: 1,
  summary: "the chunk's title (the default)",
  params: z.strictObject({}),
  make: () => ({ prefix: ({ title }) => title }),
})
