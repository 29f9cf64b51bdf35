import { headingKeywords } from '../../corpus/corpus.ts'
import { openConfig } from '../../library/open-config.ts'
import { compareIds } from '../../text/order.ts'
import { ALLOW_EMPTY, defineCommand, SET, STORE } from '../command.ts'
import { CONFIG, configFile } from '../config-file.ts'

export const keywords = defineCommand({
  args: { config: CONFIG },
  options: { set: SET, allowEmpty: ALLOW_EMPTY, store: STORE },
  examples: ['touchstone keywords configs/quickstart.yaml --json > keywords.json'],
  interrupted: 'prepared data is stored',
  async run({ args, options, io }) {
    const { store, recipes } = await openConfig(io, configFile(io.folder, args.config), options)
    const all = new Set<string>()
    for (const recipe of recipes) {
      const found = headingKeywords(recipe)
      await store.prepare(found, io.progress)
      for (const keyword of (await store.open(found)).values()) all.add(keyword)
    }
    const sorted = [...all].sort(compareIds)
    if (options.json) io.json(sorted)
    else io.out(sorted.length === 0 ? 'no heading of the corpus holds a keyword' : sorted.join('\n'))
  },
})
