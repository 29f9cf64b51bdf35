import { resolve } from 'node:path'
import { processes } from '../../library/machine.ts'
import { makeFolder } from '../../store/make-folder.ts'
import { shownPath } from '../../text/shown-path.ts'
import { startView } from '../../view/server.tsx'
import { defineCommand } from '../command.ts'

export const view = defineCommand({
  name: 'view',
  summary: 'show all experiments of a folder in the browser, also running ones, and compare them',
  args: {
    folder: { value: 'FOLDER', summary: 'folder of experiments (default: experiments)', optional: true },
  },
  options: {
    port: {
      kind: 'integer',
      value: 'PORT',
      min: 1,
      max: 65_535,
      summary: 'port on 127.0.0.1 (default: any free one)',
    },
    labels: {
      kind: 'text',
      value: 'LABELS',
      summary: 'folder of labels, to review questions and label passages; nothing else is written',
    },
  },
  examples: ['touchstone view', 'touchstone view experiments --port 4000', 'touchstone view --labels labels'],
  async run({ args, options, io }) {
    const folder = resolve(io.folder, args.folder ?? 'experiments')
    const labels = options.labels === undefined ? undefined : resolve(io.folder, options.labels)
    // Questions are reviewed before the first experiment.
    if (labels !== undefined && args.folder === undefined) makeFolder(folder)
    const { link, linkTo, port, experiments } = await startView({
      ...(labels !== undefined && { labels }),
      folder,
      shown: shownPath(io.folder, folder),
      port: options.port ?? 0,
      processes,
      failed: (error) => io.err(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    })
    const first = labels === undefined ? link : linkTo('/labels')
    if (options.json) io.json({ link: first, port, experiments })
    else {
      io.out(first)
      io.err(
        `${experiments === 0 && labels === undefined ? `there is no experiment in ${shownPath(io.folder, folder)} yet; \`touchstone run CONFIG\` writes one. ` : ''}Ctrl-C ends the server`,
      )
    }
    await new Promise(() => {})
  },
})
