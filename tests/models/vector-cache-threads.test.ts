import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { buildSync } from 'esbuild'
import { expect, it } from 'vitest'
import { openVectorCache, textHash } from '../../src/models/vector-cache.ts'
import { sharedFolder } from '../temporary.ts'

const folder = sharedFolder()

// Worker threads run compiled code only.
const { outputFiles } = buildSync({
  entryPoints: [resolve(import.meta.dirname, '../../src/models/vector-cache.ts')],
  bundle: true,
  format: 'cjs',
  platform: 'node',
  write: false,
})

const PARTS = 60
const NAMES = ['a', 'b', 'c']

/** Work of a thread: stores one vector after another; all threads share a folder. */
const CODE = `${outputFiles[0].text}
  const { workerData, parentPort } = require('node:worker_threads')
  async function keep() {
    const cache = await openVectorCache(workerData.folder)
    for (let part = 0; part < workerData.parts; part++) {
      // All threads write at once, each its part of the same number.
      Atomics.add(workerData.arrived, 0, 1)
      while (Atomics.load(workerData.arrived, 0) < workerData.threads * (part + 1)) Atomics.wait(workerData.arrived, 1, 0, 0.05)
      cache.put([textHash(workerData.name + part)], Float32Array.of(part, 1), { model: 'none', dims: 2 })
    }
    parentPort.postMessage('done')
  }
  keep()`

function thread(name: string, arrived: Int32Array): Promise<string> {
  const workerData = { folder, name, parts: PARTS, arrived, threads: NAMES.length }
  const worker = new Worker(CODE, { eval: true, workerData })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

it('threads of one process keep vectors in one folder without touching what another writes', async () => {
  const arrived = new Int32Array(new SharedArrayBuffer(8))
  await expect(Promise.all(NAMES.map((name) => thread(name, arrived)))).resolves.toEqual([
    'done',
    'done',
    'done',
  ])
  expect(readdirSync(folder).filter((file) => file.endsWith('.tmp'))).toEqual([])
  const cache = await openVectorCache(folder)
  for (const name of NAMES)
    for (let part = 0; part < PARTS; part++) expect(cache.has(textHash(name + part))).toBe(true)
}, 30_000)
