import { spawn } from 'node:child_process'
import { basename, dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { makeFolder } from '../store/make-folder.ts'
import { shownPath } from '../text/shown-path.ts'
import type { FromView, ViewData } from '../view/thread.ts'
import type { Io } from './io.ts'

/**
 * Serves the pages of a run in a thread of their own, since the run computes for long without a pause. Prints the link, and
 * opens it if this machine has a display. `among`: the experiment is shown in the list of its folder's neighbours.
 */
export function viewRun(io: Io, folder: string, among: boolean): void {
  const root = among ? dirname(folder) : folder
  makeFolder(root)
  const name = among ? basename(folder) : '.'
  const workerData: ViewData = { folder: root, shown: shownPath(io.folder, root), name }
  const thread = new Worker(new URL('../view/thread.js', import.meta.url), { workerData })
  thread.unref()
  thread.on('message', ({ link, failed }: FromView) => {
    if (failed !== undefined) return io.err(failed)
    io.err(`progress: ${link}`)
    openInBrowser(io, link)
  })
  thread.on('error', (error) => io.err(`the page of the run ended: ${error.message}`))
}

/** Opens a link if the machine has a display. */
function openInBrowser({ isTerminal, env }: Io, link: string): void {
  const command = { linux: 'xdg-open', darwin: 'open' }[process.platform as string]
  const hasDisplay =
    process.platform === 'darwin' ? !env.SSH_CONNECTION : Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
  if (!isTerminal || !hasDisplay || command === undefined) return
  // The link was printed: without a browser nothing is lost.
  spawn(command, [link], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
