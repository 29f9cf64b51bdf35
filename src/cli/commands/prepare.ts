import { prepareAll } from '../../experiment/open.ts'
import { defineCommand, SET } from '../command.ts'
import { ONLY, openConfig, STORE } from '../experiment.ts'

export const prepare = defineCommand({
  name: 'prepare',
  summary: 'chunk, embed and index a corpus; kept by content, so only what changed is built again',
  args: { config: { value: 'CONFIG', summary: 'the YAML file' } },
  options: { set: SET, store: STORE, only: ONLY },
  examples: ['touchstone prepare configs/quickstart.yaml'],
  interrupted: 'the same command goes on where it stopped',
  async run({ args, options, io }) {
    const open = await openConfig(io, args.config, options)
    const built = await prepareAll(open, io.progress)
    const names = built.map(({ name }) => name)
    if (options.json) io.json({ store: open.store.root, built: names, artifacts: open.artifacts.length })
    else io.out(names.length > 0 ? `built ${names.join(', ')}` : 'everything is prepared already')
  },
})
