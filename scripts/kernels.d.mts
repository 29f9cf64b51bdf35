export function kernels(): string[]
export function compileKernel(path: string): Promise<Uint8Array>
