import { parentPort, workerData } from 'node:worker_threads'
import type { Mistake } from '../../errors.ts'
import { diskError } from '../../store/disk-errors.ts'
import { type Rows, writeRows } from '../finish/write-rows.ts'

/** The thread's side of `threads.writeRows`: writes what it was started with, and tells of a disk that refused. */
export type Written = { readonly mistakes: readonly Mistake[] }

parentPort?.postMessage(written(workerData as Rows))

function written(rows: Rows): Written {
  try {
    writeRows(rows)
    return { mistakes: [] }
  } catch (error) {
    const told = diskError(error)
    if (told) return { mistakes: told.mistakes }
    throw error
  }
}
