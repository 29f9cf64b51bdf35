import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { parquetMetadata, parquetRead } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'

// Decodes a file and keeps nothing: whoever started this process learns whether that ends. A process, since an array that
// grows without end takes all threads with it; in a thread of it, so that it notices the end of who started it. Plain
// JavaScript, since it is started from the sources in tests and from the package elsewhere.
if (isMainThread) {
  const [path, columns] = process.argv.slice(2)
  const tell = (message) => process.send(message, () => process.exit())
  process.on('disconnect', () => process.exit())
  new Worker(fileURLToPath(import.meta.url), { workerData: { path, columns: JSON.parse(columns) } })
    .once('message', tell)
    .once('error', ({ message }) => tell({ message }))
} else {
  const { path, columns } = workerData
  try {
    const { buffer, byteOffset, byteLength } = readFileSync(path)
    const file = buffer.slice(byteOffset, byteOffset + byteLength)
    const metadata = parquetMetadata(file)
    const names = new Set(metadata.schema.map(({ name }) => name))
    const wanted = columns?.filter((name) => names.has(name))
    if (metadata.num_rows > 0n)
      await parquetRead({ file, metadata, columns: wanted, compressors, utf8: false, onChunk: () => {} })
    parentPort.postMessage({})
  } catch (error) {
    parentPort.postMessage({ message: error instanceof Error ? error.message : String(error) })
  }
}
