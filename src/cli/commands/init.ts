import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { UserError } from '../../errors.ts'
import { shownPath } from '../../text/shown-path.ts'
import { defineCommand } from '../command.ts'
import { STARTER } from '../starter.ts'

export const init = defineCommand({
  name: 'init',
  summary: 'write a starter config and dataset, ready to run',
  args: {
    folder: { value: 'DIR', summary: 'where to write; the working folder if left out', optional: true },
  },
  options: {},
  examples: ['touchstone init my-experiment', 'touchstone run my-experiment/touchstone.yaml'],
  async run({ args, options, io }) {
    const folder = resolve(io.folder, args.folder ?? '.')
    const taken = Object.keys(STARTER).filter((file) => existsSync(join(folder, file)))
    if (taken.length > 0)
      throw new UserError(
        taken.map((file) => ({ file: join(folder, file), message: 'is there already; nothing was written' })),
      )
    for (const [file, text] of Object.entries(STARTER)) {
      const path = join(folder, file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text, { flag: 'wx' })
    }
    const config = shownPath(io.folder, join(folder, 'touchstone.yaml'))
    if (options.json) io.json({ folder, files: Object.keys(STARTER) })
    else
      io.out(
        [
          `wrote ${Object.keys(STARTER).length} files to ${shownPath(io.folder, folder)}`,
          '',
          `  touchstone check ${config}    is everything valid?`,
          `  touchstone run ${config}      which strategy wins?`,
          '',
          `Put your own documents into ${join(dirname(config), 'dataset', 'corpus.jsonl')}, and your questions and judgements beside it.`,
        ].join('\n'),
      )
  },
})
