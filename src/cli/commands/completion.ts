import { type Command, defineCommand } from '../command.ts'
import { completionScript } from '../completion.ts'

/** Completion command; `load` returns every command, including this one. */
export const completionOf = (load: () => Promise<readonly Command[]>) =>
  defineCommand({
    args: { shell: { value: 'SHELL', summary: 'the shell', choices: ['bash', 'zsh', 'fish'] } },
    options: {},
    examples: [
      'touchstone completion bash > ~/.local/share/bash-completion/completions/touchstone',
      'touchstone completion zsh > "${fpath[1]}/_touchstone"',
      'touchstone completion fish > ~/.config/fish/completions/touchstone.fish',
    ],
    async run({ args, options, io }) {
      const script = completionScript(args.shell, await load())
      if (options.json) io.json({ shell: args.shell, script })
      else io.out(script)
    },
  })
