// Compiles every src/**/*.wat to the .wasm beside it: `node scripts/kernels.mjs`. A test checks that they agree.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import wabt from 'wabt'

const source = join(dirname(fileURLToPath(import.meta.url)), '..', 'src')

/** Paths of the kernels' sources. */
export const kernels = () =>
  readdirSync(source, { recursive: true })
    .filter((file) => file.endsWith('.wat'))
    .map((file) => join(source, file))
    .sort()

/** The binary that a WAT file compiles to. */
export async function compileKernel(path) {
  const { parseWat } = await wabt()
  const module = parseWat(path, readFileSync(path, 'utf8'), { simd: true })
  try {
    module.validate()
    return module.toBinary({}).buffer
  } finally {
    module.destroy()
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  for (const path of kernels()) writeFileSync(path.replace(/\.wat$/, '.wasm'), await compileKernel(path))
