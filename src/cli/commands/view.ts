import type { OpenExperiment } from '../../experiment/plan/open.ts'
import { processes } from '../../library/machine.ts'
import { makeFolder } from '../../store/write.ts'
import { startView } from '../../view/server.tsx'
import { defineCommand, integer, text } from '../command.ts'
import type { Io } from '../io.ts'
import { configFile } from '../options.ts'

export default defineCommand({
  name: 'view',
  summary: 'show all experiments of a folder in the browser, also running ones, and compare them',
  args: {
    folder: { value: 'FOLDER', summary: 'folder of experiments (default: experiments)', optional: true },
  },
  options: {
    port: integer('PORT', 'port on 127.0.0.1 (default: any free one)', { min: 1, max: 65_535 }),
    labels: text('LABELS', 'folder of labels, to review questions and label passages'),
    ask: text(
      'CONFIG',
      'config whose trials are asked in the browser, side by side; adds questions to its dataset. Runs its custom code and models',
    ),
  },
  examples: [
    'touchstone view',
    'touchstone view experiments --port 4000',
    'touchstone view --labels labels',
    'touchstone view --ask touchstone.yaml',
  ],
  async run({ args, options, io }) {
    const folder = io.path(args.folder ?? 'experiments')
    const labels = options.labels === undefined ? undefined : io.path(options.labels)
    const open = options.ask && (await openAsked(io, options.ask))
    const showsFolder = labels === undefined && !open
    if (!showsFolder && args.folder === undefined) makeFolder(folder)
    const { link, linkTo, port, experiments } = await startView({
      labels,
      playground: open ? { open, folder: io.folder, progress: io.progress } : undefined,
      folder,
      shown: io.shown(folder),
      port: options.port ?? 0,
      processes,
      failed: (error) => io.err(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    })
    const first = labels !== undefined ? linkTo('/labels') : open ? linkTo('/ask') : link
    io.result({ link: first, port, experiments }, first)
    if (experiments === 0 && showsFolder)
      io.err(`there is no experiment in ${io.shown(folder)} yet; \`touchstone run CONFIG\` writes one`)
    io.err('Ctrl-C ends the server')
    await new Promise(() => {})
  },
})

/** Loads the code of configs and trials only if it is needed: without it the link appears sooner. */
async function openAsked(io: Io, config: string): Promise<OpenExperiment> {
  const { openConfig } = await import('../../library/open-config.ts')
  return openConfig(io, configFile(io.folder, config), { set: [] })
}
