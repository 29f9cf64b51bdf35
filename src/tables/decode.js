import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { parquetMetadata, parquetRead } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'

// Decodes a file and keeps nothing: whoever started this process learns whether that ends. A process, since an array that
// grows without end takes all threads with it; in a thread of it, so that it notices the end of who started it. Plain
// JavaScript, since it is started from the sources in tests and from the package elsewhere.
if (isMainThread) {
  const [path, columns, seconds] = process.argv.slice(2)
  const tell = (message) => process.send(message, () => process.exit())
  // Seconds of computing: unlike time by the clock, a busy machine does not lengthen them.
  setInterval(() => {
    const { user, system } = process.cpuUsage()
    if (user + system > 1e6 * Number(seconds))
      tell({ message: `it was not decoded within ${seconds} s of computing; is it damaged?` })
  }, 200)
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
    const groups = metadata.row_groups.map(({ num_rows }) => Number(num_rows))
    if (
      groups.some((rows) => rows < 0) ||
      groups.reduce((sum, rows) => sum + rows, 0) !== Number(metadata.num_rows)
    )
      throw new Error('its counts of rows contradict each other')
    // A group of rows at a time, as it is read afterwards.
    let rowEnd = 0
    for (const rows of groups) {
      const rowStart = rowEnd
      rowEnd += rows
      await parquetRead({
        ...{ file, metadata, columns: wanted, rowStart, rowEnd, compressors, utf8: false },
        onChunk: () => {},
      })
    }
    parentPort.postMessage({})
  } catch (error) {
    parentPort.postMessage({ message: error instanceof Error ? error.message : String(error) })
  }
}
