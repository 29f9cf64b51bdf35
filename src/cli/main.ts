import { isAbsolute } from 'node:path'
import { clip, type Diagnostic, formatDiagnostic, UserError } from '../errors.ts'
import { wasStopped } from '../stopping.ts'
import { diskError } from '../store/write.ts'
import { shownPath } from '../text/printable.ts'
import { VERSION } from '../version.ts'
import type { Command } from './command.ts'
import { COMMANDS, commandWords } from './commands.ts'
import {
  BUG,
  customCodeError,
  DONE,
  type HearSignals,
  hearSignals,
  INTERRUPTED,
  openIo,
  type Terminal,
  USER_ERROR,
} from './io.ts'
import { parseCommandLine, rootHelp } from './parse.ts'

/** Resolves to the exit code. Loads only the named command, and none for help. */
export async function main(
  argv: readonly string[],
  terminal: Terminal,
  hear: HearSignals = hearSignals,
): Promise<number> {
  const isAboutOne = argv[0] === 'help' && argv[1] !== undefined && !argv[1].startsWith('-')
  const [name, ...rest] = isAboutOne ? [argv[1], '--help'] : argv
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    terminal.out.write(rootHelp(await commandWords(), terminal.out.columns))
    return name === undefined ? USER_ERROR : DONE
  }
  const json = rest.includes('--json')
  const io = openIo(terminal, json)
  try {
    if (name === '--version' || name === '-V') {
      terminal.out.write(`${VERSION}\n`)
      return DONE
    }
    if (!Object.hasOwn(COMMANDS, name)) {
      const { didYouMean } = await import('../text/nearest.ts')
      throw new UserError(
        `there is no command \`${name}\`${didYouMean(name, Object.keys(COMMANDS))}; see \`touchstone --help\``,
      )
    }
    const asksHelp = rest.includes('--help') || rest.includes('-h')
    const words = asksHelp ? (await commandWords()).find((command) => command.name === name) : undefined
    const parsed = parseCommandLine(words ?? (await COMMANDS[name]()).default, rest, terminal)
    if (parsed.exit !== undefined) return parsed.exit
    const { default: command } = await COMMANDS[name]()
    return await interruptible(command, terminal, hear, (signal) =>
      command.run({ ...parsed.input, io, signal }),
    )
  } catch (thrown) {
    io.close()
    const error = diskError(thrown) ?? customCodeError(thrown) ?? thrown
    if (!(error instanceof UserError)) {
      io.err(clip(error instanceof Error ? (error.stack ?? error.message) : String(error)))
      return BUG
    }
    const diagnostics = error.diagnostics.map((diagnostic) => shorten(diagnostic, terminal.folder))
    io.err(diagnostics.map(formatDiagnostic).join('\n'))
    if (json) io.json({ diagnostics })
    return USER_ERROR
  } finally {
    io.close()
  }
}

function shorten(diagnostic: Diagnostic, folder: string): Diagnostic {
  return diagnostic.file && isAbsolute(diagnostic.file)
    ? { ...diagnostic, file: shownPath(folder, diagnostic.file) }
    : diagnostic
}

async function interruptible(
  command: Command,
  terminal: Terminal,
  hear: HearSignals,
  run: (signal: AbortSignal) => Promise<number | undefined> | Promise<void>,
): Promise<number> {
  const controller = new AbortController()
  let stopped = INTERRUPTED
  const stop = (code: number) => {
    stopped = code
    controller.abort()
  }
  const forget = hear(terminal, command.interrupted, stop)
  try {
    const code = await run(controller.signal)
    return wasStopped(controller.signal) ? stopped : (code ?? DONE)
  } catch (error) {
    // Errors of a stopped command come from the stop.
    if (wasStopped(controller.signal) && !(error instanceof UserError)) return stopped
    throw error
  } finally {
    forget()
  }
}
