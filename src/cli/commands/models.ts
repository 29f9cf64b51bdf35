import { hubNameOf } from '../../hub/names.ts'
import { openHub } from '../../hub/open.ts'
import { DTYPES } from '../../models/transformers/folder.ts'
import { defineCommand } from '../command.ts'

export const models = defineCommand({
  args: {
    action: { value: 'ACTION', summary: 'action', choices: ['get'] },
    name: {
      value: 'NAME',
      summary: 'owner/name on the Hugging Face hub, with @revision after it for another one than main',
    },
  },
  options: {
    dtype: {
      kind: 'text',
      value: 'TYPE',
      choices: DTYPES,
      default: 'q8',
      summary: 'precision of the ONNX export; q8 is int8',
    },
  },
  examples: [
    'touchstone models get Xenova/all-MiniLM-L6-v2',
    'touchstone models get Xenova/bge-small-en-v1.5',
  ],
  interrupted: 'the download goes on where it broke off with the same command',
  async run({ args, options, io }) {
    const name = hubNameOf(args.name)
    const dtype = DTYPES.find((one) => one === options.dtype) ?? 'q8'
    const { folder, sources, files } = await openHub({ ...io, notice: io.err, readAll: true }).model(name, [
      dtype,
    ])
    const [{ commit }] = sources
    const pinned = `hf:${name.repo}@${commit}`
    if (options.json) io.json({ name: pinned, folder, files })
    else
      io.out(
        [
          folder,
          '',
          'In a config:',
          '',
          dtype === 'q8'
            ? `  embedder: ${pinned}`
            : `  embedder: { transformers: { model: '${pinned}', dtype: ${dtype} } }`,
        ].join('\n'),
      )
  },
})
