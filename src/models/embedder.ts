/** Turns texts into vectors. Every adapter gives the same vector for a text whatever stands beside it. */
export interface Embedder {
  /** What stands in reports and table metadata: the adapter and the model behind it. */
  readonly model: string
  readonly dims: number
  /** Row after row of L2-normalised float32, `texts.length * dims` long; a zero row where the embedder knows nothing of a text. */
  embed(texts: readonly string[]): Promise<Float32Array>
}
