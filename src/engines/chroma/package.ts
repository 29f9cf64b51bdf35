/** The part of the API of `chromadb` in use; the package is optional. */

export interface Package {
  readonly ChromaClient: new (options: {
    readonly host: string
    readonly port: number
    readonly ssl: boolean
    readonly headers?: Readonly<Record<string, string>>
  }) => Client
}

export interface Client {
  heartbeat(): Promise<number>
  version(): Promise<string>
  getCollection(options: { readonly name: string; readonly embeddingFunction: null }): Promise<Collection>
  createCollection(options: {
    readonly name: string
    readonly embeddingFunction: null
    readonly metadata: Readonly<Record<string, string>>
    readonly configuration: { readonly hnsw: Readonly<Record<string, string | number>> }
  }): Promise<Collection>
  deleteCollection(options: { readonly name: string }): Promise<void>
}

export interface Collection {
  readonly metadata?: Readonly<Record<string, unknown>> | null
  count(): Promise<number>
  upsert(points: { readonly ids: string[]; readonly embeddings: number[][] }): Promise<void>
  query(options: {
    readonly queryEmbeddings: number[][]
    readonly nResults: number
    readonly include: string[]
    readonly ids?: string[]
  }): Promise<{ readonly ids: string[][]; readonly distances: number[][] }>
}
