import {
  Command as Commander,
  Argument as CommanderArgument,
  CommanderError,
  Option as CommanderOption,
  InvalidArgumentError,
} from 'commander'
import { UserError } from '../errors.ts'
import { didYouMean } from '../text/nearest.ts'
import {
  type Argument,
  type Arguments,
  type CommandInput,
  flag,
  type Option,
  type Options,
  optionName,
} from './command.ts'
import { COMMAND_GROUPS, type CommandWords } from './commands.ts'
import type { Terminal } from './io.ts'

type Parsed =
  | { readonly exit: number; readonly input?: never }
  | { readonly exit?: never; readonly input: Omit<CommandInput<Arguments, Options>, 'io' | 'signal'> }

/** Throws a UserError for invalid arguments; returns `exit` if help was requested. */
export function parseCommandLine(command: CommandWords, argv: readonly string[], terminal: Terminal): Parsed {
  const commander = describe(command, terminal.out.columns)
  let text = ''
  commander.exitOverride().configureOutput({
    writeOut: (part) => terminal.out.write(part),
    writeErr: (part) => {
      text += part
    },
  })
  try {
    commander.parse([...argv], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return { exit: 0 }
    throw new UserError(`${text.trim().replace(/^error: /, '')}\nsee \`touchstone ${command.name} --help\``)
  }
  const values = commander.opts()
  const options = Object.entries(optionsOf(command)).map(([name, { kind }], index) => {
    const made = commander.options[index]
    const value = values[made.attributeName()]
    if (kind === 'list') return [name, value ?? []]
    return [name, kind === 'flag' ? value === !made.negate : value]
  })
  const args = Object.keys(command.args).map((name, index) => [name, commander.processedArgs[index]])
  return { input: { args: Object.fromEntries(args), options: Object.fromEntries(options) } }
}

export function helpOf(command: CommandWords, columns: number): string {
  let text = ''
  const writeOut = (part: string) => {
    text += part
  }
  describe(command, columns).configureOutput({ writeOut }).outputHelp()
  return text
}

export function rootHelp(commands: readonly CommandWords[], columns: number): string {
  const program = new Commander('touchstone')
    .usage('COMMAND ...')
    .description('evaluates retrieval strategies for RAG')
    .helpOption('-h, --help', 'show this help, or the help of a command')
    .helpCommand(false)
    .option('-V, --version', 'print the version')
    .configureHelp({ helpWidth: columns, subcommandTerm: (command) => command.name() })
  for (const [group, members] of Object.entries(COMMAND_GROUPS)) {
    program.commandsGroup(`${group}:`)
    for (const { name, summary } of commands)
      if (Object.hasOwn(members, name)) program.command(name).summary(summary)
  }
  return (
    program.helpInformation() +
    '\nStart with `touchstone init`; `touchstone COMMAND --help` shows examples.\n'
  )
}

function optionsOf({ options }: CommandWords): Options {
  return { ...options, json: flag('print one JSON value on stdout, messages on stderr') }
}

function describe(command: CommandWords, columns: number): Commander {
  const commander = new Commander(`touchstone ${command.name}`)
    .description(command.summary)
    .helpOption('-h, --help', 'show this help')
    .configureHelp({ helpWidth: columns })
  for (const [name, argument] of Object.entries(command.args))
    commander.addArgument(makeArgument(name, argument))
  for (const [name, option] of Object.entries(optionsOf(command)))
    commander.addOption(makeOption(name, option))
  const examples = command.examples.map((example) => `  $ ${example}`)
  return commander.addHelpText('after', `\nExamples:\n${examples.join('\n')}`)
}

function makeArgument(
  name: string,
  { value, summary, optional, many, choices }: Argument,
): CommanderArgument {
  const shown = many ? `${value}...` : value
  const words = choices ? `${summary}: ${choices.join(', ')}` : summary
  const made = new CommanderArgument(optional ? `[${shown}]` : `<${shown}>`, words)
  return !choices
    ? made
    : made.argParser((value: string) => {
        if (choices.includes(value)) return value
        throw new UserError(
          `there is no ${name} \`${value}\`${didYouMean(value, choices)}; there are ${choices.join(', ')}`,
        )
      })
}

function makeOption(name: string, option: Option): CommanderOption {
  const { kind, short, summary, choices } = option
  const long = optionName(name)
  const flags = short ? `-${short}, ${long}` : long
  if (kind === 'flag') return new CommanderOption(flags, summary)
  const made = new CommanderOption(`${flags} <${option.value}>`, summary)
  if (kind === 'list')
    return made.argParser((value: string, before: readonly string[] = []) => [...before, value])
  if (option.default !== undefined) made.default(option.default)
  if (choices) made.choices(choices)
  const parse = kind === 'text' ? (made.parseArg ?? String) : (value: string) => readNumber(value, option)
  let isGiven = false
  return made.argParser((value: string, before: unknown) => {
    // Only the last value would count.
    if (isGiven) throw new UserError(`${long} is given twice; give it once`)
    isGiven = true
    return parse(value, before)
  })
}

function readNumber(text: string, { kind, min, max }: Option): number {
  const number = text.trim() === '' ? Number.NaN : Number(text)
  if (!Number.isFinite(number) || (kind === 'integer' && !Number.isInteger(number)))
    throw new InvalidArgumentError(kind === 'integer' ? 'It is not a whole number.' : 'It is not a number.')
  if (min !== undefined && number < min) throw new InvalidArgumentError(`The smallest is ${min}.`)
  if (max !== undefined && number > max) throw new InvalidArgumentError(`The largest is ${max}.`)
  return number
}
