import { z } from 'zod'
import { derived } from '../../../store/artifact.ts'
import { chunkColumns } from '../../corpus.ts'
import { defineContext } from './index.ts'

export default defineContext({
  name: 'document',
  version: 1,
  summary: "the title of the chunk's document and the path of headings down to the chunk",
  params: z.strictObject({}),
  make: () => ({
    prefix({ section }, title) {
      const path = section[0] === title ? section : [title, ...section]
      return path.filter((name) => name !== '').join(' > ')
    },
    texts(recipe) {
      const inputs = { chunks: chunkColumns(recipe, 'documentId'), documents: recipe.documents }
      return derived('document_titles', inputs, ({ chunks, documents }) => {
        const titles = new Map(documents.map(({ id, title }) => [id, title]))
        return chunks.map(({ documentId }) => titles.get(documentId) as string)
      })
    },
  }),
})
