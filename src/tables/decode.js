import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { parquetMetadata, parquetRead } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'

// Decodes files one after another, keeps nothing and sends the parent process the error of each, if there is one. This is a
// process because an array that grows without end takes all threads with it. The work is in a thread so that the process
// notices the end of its parent. Plain JavaScript, because tests start it from the sources.
if (isMainThread) {
  let watch
  const tell = (outcome) => {
    clearInterval(watch)
    process.send(outcome)
  }
  const worker = new Worker(fileURLToPath(import.meta.url))
  worker.on('message', (message) => tell({ message, goesOn: true }))
  worker.on('error', ({ message }) => tell({ message }))
  process.on('message', ({ seconds, ...file }) => {
    const before = process.cpuUsage()
    // CPU time, because a busy machine does not lengthen it.
    watch = setInterval(() => {
      const { user, system } = process.cpuUsage(before)
      if (user + system > 1e6 * seconds)
        tell({ message: `it was not decoded within ${seconds} s of computing; is it damaged?` })
    }, 200)
    worker.postMessage(file)
  })
  process.on('disconnect', () => process.exit())
} else
  parentPort.on('message', async (file) => {
    try {
      await decode(file)
      parentPort.postMessage(undefined)
    } catch (error) {
      parentPort.postMessage(error instanceof Error ? error.message : String(error))
    }
  })

async function decode({ path, columns }) {
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
}
