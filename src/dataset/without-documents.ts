import type { Dataset } from './types.ts'

/** A data set whose documents are elsewhere: how many there are, and the UTF-16 units of their titles and texts. */
export type WithoutDocuments = Omit<Dataset, 'documents'> & {
  readonly documents: number
  readonly letters: number
}

export function withoutDocuments(dataset: Dataset): WithoutDocuments {
  const letters = dataset.documents.reduce((sum, { title, text }) => sum + title.length + text.length, 0)
  return { ...dataset, documents: dataset.documents.length, letters }
}
