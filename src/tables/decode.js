import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { parquetMetadata, parquetRead } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'

// Decodes a file, keeps nothing and sends the parent process the error, if there is one. This is a process because an array
// that grows without end takes all threads with it. The work is in a thread so that the process notices the end of its
// parent. Plain JavaScript, because tests start it from the sources.
if (isMainThread) {
  const [path, columns, seconds] = process.argv.slice(2)
  const tell = (message) => process.send(message, () => process.exit())
  // CPU time, because a busy machine does not lengthen it.
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
    // One group of rows at a time, as readTable does.
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
