/** The part of WebAssembly's JavaScript interface that is used here; TypeScript has it among the browser's types only. */
declare namespace WebAssembly {
  class Memory {
    constructor(size: { readonly initial: number })
    readonly buffer: ArrayBuffer
  }
  class Module {
    constructor(binary: Uint8Array)
  }
  class Instance {
    constructor(module: Module, imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>)
    readonly exports: unknown
  }
}
