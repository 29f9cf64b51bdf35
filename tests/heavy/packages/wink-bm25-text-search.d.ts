declare module 'wink-bm25-text-search' {
  interface Wink {
    defineConfig(config: unknown): void
    definePrepTasks(tasks: readonly ((text: string) => readonly string[])[]): void
    addDoc(document: Record<string, string>, id: number): void
    consolidate(precision?: number): void
    search(text: string, limit?: number): [string, number][]
  }
  export default function winkBm25(): Wink
}
