import { parentPort, workerData } from 'node:worker_threads'
import type { Diagnostic } from '../../errors.ts'
import { diskError } from '../../store/write.ts'
import { type LongTables, writeRows } from '../finish/write-rows.ts'

/** Worker side of `threads.writeRows`: writes the rows it was started with and reports disk errors. */
export type Written = { readonly diagnostics: readonly Diagnostic[] }

parentPort?.postMessage(written(workerData as LongTables))

function written(rows: LongTables): Written {
  try {
    writeRows(rows)
    return { diagnostics: [] }
  } catch (error) {
    const told = diskError(error)
    if (told) return { diagnostics: told.diagnostics }
    throw error
  }
}
