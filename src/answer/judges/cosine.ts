import type { Embedding } from '../../models/embedder.ts'

/** The cosine of one text's vector to each of the others', -1 to 1; 0 where the embedder knows nothing of a text. */
export async function cosine(embed: Embedding, text: string, others: readonly string[]): Promise<number[]> {
  const rows = await embed([text, ...others])
  const dims = rows.length / (others.length + 1)
  return others.map((_, other) => {
    let sum = 0
    for (let at = 0; at < dims; at++) sum += rows[at] * rows[(other + 1) * dims + at]
    return sum
  })
}
