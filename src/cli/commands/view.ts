import { resolve } from 'node:path'
import { processes } from '../../library/machine.ts'
import { shownPath } from '../../text/shown-path.ts'
import { startView } from '../../view/server.ts'
import { defineCommand } from '../command.ts'

export const view = defineCommand({
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
  },
  examples: ['touchstone view', 'touchstone view experiments --port 4000'],
  async run({ args, options, io }) {
    const folder = resolve(io.folder, args.folder ?? 'experiments')
    const { link, port, experiments } = await startView({
      ...{ folder, shown: shownPath(io.folder, folder), port: options.port ?? 0, processes },
      failed: (error) => io.err(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    })
    if (options.json) io.json({ link, port, experiments })
    else {
      io.out(link)
      io.err(
        `${experiments === 0 ? `there is no experiment in ${shownPath(io.folder, folder)} yet; \`touchstone run CONFIG\` writes one. ` : ''}Ctrl-C ends the server`,
      )
    }
    await new Promise(() => {})
  },
})
