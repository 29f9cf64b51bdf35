import { resolve } from 'node:path'
import { processes } from '../../library/machine.ts'
import { openConfig } from '../../library/open-config.ts'
import { makeFolder } from '../../store/write.ts'
import { shownPath } from '../../text/printable.ts'
import { startView } from '../../view/server.tsx'
import { defineCommand } from '../command.ts'
import { configFile } from '../config-file.ts'

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
      summary: 'folder of labels, to review questions and label passages',
    },
    ask: {
      kind: 'text',
      value: 'CONFIG',
      summary:
        'config whose trials are asked in the browser, side by side; adds questions to its dataset. Runs its custom code and models',
    },
  },
  examples: [
    'touchstone view',
    'touchstone view experiments --port 4000',
    'touchstone view --labels labels',
    'touchstone view --ask touchstone.yaml',
  ],
  async run({ args, options, io }) {
    const folder = resolve(io.folder, args.folder ?? 'experiments')
    const labels = options.labels === undefined ? undefined : resolve(io.folder, options.labels)
    const open =
      options.ask === undefined
        ? undefined
        : await openConfig(io, configFile(io.folder, options.ask), { set: [] })
    // Questions are reviewed and asked before the first experiment.
    const showsFolder = labels === undefined && !open
    if (!showsFolder && args.folder === undefined) makeFolder(folder)
    const { link, linkTo, port, experiments } = await startView({
      ...(labels !== undefined && { labels }),
      ...(open && { playground: { open, folder: io.folder, progress: io.progress } }),
      folder,
      shown: shownPath(io.folder, folder),
      port: options.port ?? 0,
      processes,
      failed: (error) => io.err(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    })
    const first = labels !== undefined ? linkTo('/labels') : open ? linkTo('/ask') : link
    if (options.json) io.json({ link: first, port, experiments })
    else {
      io.out(first)
      io.err(
        `${experiments === 0 && showsFolder ? `there is no experiment in ${shownPath(io.folder, folder)} yet; \`touchstone run CONFIG\` writes one. ` : ''}Ctrl-C ends the server`,
      )
    }
    await new Promise(() => {})
  },
})
