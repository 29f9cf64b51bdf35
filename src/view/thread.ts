import { parentPort, workerData } from 'node:worker_threads'
import { processes } from '../library/machine.ts'
import { addressOf } from './pages/frame.ts'
import { startView } from './server.ts'

/** Serves the pages of a run for `touchstone run --view`, until the process ends. */
export interface ViewData {
  readonly folder: string
  readonly shown: string
  /** Experiment of the run. */
  readonly name: string
}

/** Link to the experiment's progress, or a failure in words. */
export type FromView =
  | { readonly link: string; readonly failed?: undefined }
  | { readonly link?: undefined; readonly failed: string }

const { folder, shown, name } = workerData as ViewData
const tell = (message: FromView) => parentPort?.postMessage(message)

const { linkTo } = await startView({
  folder,
  shown,
  port: 0,
  processes,
  failed: (error) =>
    tell({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
})
tell({ link: linkTo(addressOf('live', name)) })
