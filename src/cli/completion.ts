import { type Command, HELP, JSON_OUTPUT, type Option, optionName } from './command.ts'

/** Completions of one command. Files are offered if nothing else fits. */
interface Completed {
  readonly name: string
  readonly summary: string
  readonly options: readonly CompletedOption[]
  /** Values of the first argument; empty for a file or free text. */
  readonly first: readonly string[]
}

interface CompletedOption {
  /** Long form, such as `--workers`. */
  readonly long: string
  /** Short form, such as `-o`. */
  readonly short?: string
  readonly summary: string
  /** Placeholder of the value, as in help; absent for a flag. */
  readonly value?: string
  readonly choices: readonly string[]
}

const SCRIPTS = { bash, zsh, fish } as const
export type Shell = keyof typeof SCRIPTS

/** Completion script for a shell, generated from the commands' data. */
export function completionScript(shell: Shell, commands: readonly Command[]): string {
  return SCRIPTS[shell](commands.map(completed))
}

function completed({ name, summary, args, options }: Command): Completed {
  const all = { ...options, json: JSON_OUTPUT, help: HELP }
  return {
    name,
    summary,
    options: Object.entries(all).map(([key, option]) => completedOption(key, option)),
    first: Object.values(args)[0]?.choices ?? [],
  }
}

function completedOption(key: string, option: Option): CompletedOption {
  const { short, summary } = option
  return {
    long: optionName(key),
    ...(short ? { short: `-${short}` } : {}),
    summary,
    ...(option.kind === 'flag' ? {} : { value: option.value }),
    choices: option.kind === 'text' ? (option.choices ?? []) : [],
  }
}

/** Long and short forms of an option. */
function ways({ long, short }: CompletedOption): string[] {
  return short ? [short, long] : [long]
}

function bash(commands: readonly Completed[]): string {
  const words = (list: readonly string[]) => `COMPREPLY=($(compgen -W ${quoted(list.join(' '))} -- "$word"))`
  const cases = commands.flatMap(({ name, options, first }) => [
    `    ${name})`,
    ...options
      .filter(({ choices }) => choices.length > 0)
      .map((one) => `      case $before in ${ways(one).join('|')}) ${words(one.choices)}; return ;; esac`),
    `      [[ $word == -* ]] && ${words(options.flatMap(ways))}`,
    ...(first.length > 0 ? [`      [[ $COMP_CWORD == 2 && $word != -* ]] && ${words(first)}`] : []),
    '      ;;',
  ])
  return lines([
    '# touchstone completion for bash',
    '_touchstone() {',
    '  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}',
    '  COMPREPLY=()',
    '  if (( COMP_CWORD == 1 )); then',
    `    ${words([...commands.map(({ name }) => name), '--help', '--version'])}`,
    '    return',
    '  fi',
    '  case ${COMP_WORDS[1]} in',
    ...cases,
    '  esac',
    '}',
    '# Where nothing fits, bash offers files.',
    'complete -o default -F _touchstone touchstone',
  ])
}

function zsh(commands: readonly Completed[]): string {
  const spec = (text: string) => text.replace(/[[\]:\\]/g, '\\$&')
  const option = (one: CompletedOption) => {
    const takes = one.choices.length > 0 ? `(${one.choices.join(' ')})` : '_files'
    const value = one.value === undefined ? '' : `:${spec(one.value)}:${takes}`
    return ways(one).map((way) => quoted(`*${way}[${spec(one.summary)}]${value}`))
  }
  const cases = commands.flatMap(({ name, options, first }) => [
    `    ${name})`,
    '      _arguments \\',
    ...options.flatMap(option).map((line) => `        ${line} \\`),
    ...(first.length > 0 ? [`        ${quoted(`1:which:(${first.join(' ')})`)} \\`] : []),
    "        '*:file:_files'",
    '      ;;',
  ])
  return lines([
    '#compdef touchstone',
    '_touchstone() {',
    '  if (( CURRENT == 2 )); then',
    '    local -a commands=(',
    ...commands.map(({ name, summary }) => `      ${quoted(`${name}:${summary}`)}`),
    '    )',
    '    _describe command commands',
    '    return',
    '  fi',
    '  shift words',
    '  (( CURRENT-- ))',
    '  case $words[1] in',
    ...cases,
    '  esac',
    '}',
    '# Read by the completion system from a file of $fpath, or by `source` in .zshrc.',
    'if [[ $funcstack[1] == _touchstone ]]; then _touchstone "$@"; else compdef _touchstone touchstone; fi',
  ])
}

function fish(commands: readonly Completed[]): string {
  const option = (command: string, { long, short, summary, value, choices }: CompletedOption) =>
    [
      `complete -c touchstone -n ${quoted(`__touchstone_in ${command}`)}`,
      ...(short ? [`-s ${short.slice(1)}`] : []),
      `-l ${long.slice(2)}`,
      ...(choices.length > 0
        ? [`-x -a ${fishQuoted(choices.join(' '))}`]
        : value === undefined
          ? []
          : ['-r']),
      `-d ${fishQuoted(summary)}`,
    ].join(' ')
  return lines([
    '# touchstone completion for fish',
    'function __touchstone_in',
    '  set -l words (commandline -opc)',
    '  test (count $words) -ge 2; and test $words[2] = $argv[1]',
    'end',
    'function __touchstone_at',
    '  test (count (commandline -opc)) -eq $argv[1]',
    'end',
    ...commands.flatMap(({ name, summary, options, first }) => [
      `complete -c touchstone -f -n '__touchstone_at 1' -a ${name} -d ${fishQuoted(summary)}`,
      ...options.map((one) => option(name, one)),
      ...(first.length > 0
        ? [
            `complete -c touchstone -f -n '__touchstone_in ${name}; and __touchstone_at 2' -a ${fishQuoted(first.join(' '))}`,
          ]
        : []),
    ]),
  ])
}

/** Quoted word for bash and zsh. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Quoted word for fish, where a backslash escapes within single quotes. */
function fishQuoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}

function lines(list: readonly string[]): string {
  return list.join('\n')
}
