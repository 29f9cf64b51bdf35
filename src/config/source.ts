import { dirname, resolve } from 'node:path'
import { type Diagnostic, UserError } from '../errors.ts'
import type { Hub } from '../hub/open.ts'
import { readText } from '../store/input.ts'
import { isMap } from '../text/json.ts'
import { parseYaml } from '../text/yaml.ts'
import { type Path, type Problem, refuse, showPath } from './reading.ts'

export interface ConfigSource {
  readonly file: string
  readonly value: Record<string, unknown>
  readonly problems: readonly Problem[]
  /** Errors that have their location: duplicate keys, a `--set` that is no YAML. */
  readonly diagnostics: readonly Diagnostic[]
  locate(problem: Problem): Diagnostic
  /** Folder that paths at `path` are relative to. */
  folderOf(path: Path): string
}

export interface SourceOptions {
  readonly set: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** The YAML if it is in no file; `file` then says what paths are relative to. */
  readonly text?: string
  readonly hub?: Hub
  readonly folder: string
}

interface Setting {
  readonly path: Path
  readonly value: unknown
  readonly flag: string
}

/** Reads a config. Throws a UserError if it is missing or no YAML; other errors are collected. */
export function readSource(
  file: string,
  { set, env, folder, text: inlineText }: SourceOptions,
): ConfigSource {
  const path = resolve(folder, file)
  const yaml = parseYaml(inlineText ?? readText(path, 'a config is a YAML file'), file)
  if (!yaml.readable) throw new UserError(yaml.diagnostics)
  if (!isMap(yaml.value)) {
    const message = yaml.value == null ? 'is empty' : 'a config is a map of keys to values'
    throw new UserError({ file, line: 1, column: 1, message })
  }
  const problems: Problem[] = []
  const diagnostics = [...yaml.diagnostics]
  const settings: Setting[] = []
  let value: unknown = yaml.value
  for (const text of set) {
    const setting = readSetting(text, diagnostics)
    if (!setting) continue
    settings.push(setting)
    try {
      value = withSetting(value, setting, 0)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      diagnostics.push({ file: setting.flag, message: error.message })
    }
  }
  value = withEnvironment(value, [], env, problems)

  const flagOf = (at: Path) => settings.findLast((setting) => isWithin(at, setting.path))?.flag
  return {
    file: path,
    value: value as Record<string, unknown>,
    problems,
    diagnostics,
    locate({ path: at, on = 'value', message }) {
      const flag = flagOf(at)
      return flag ? { file: flag, message } : { file, ...yaml.location(at, on), message }
    },
    folderOf: (at) => (flagOf(at) ? resolve(folder) : dirname(path)),
  }
}

function isWithin(path: Path, prefix: Path): boolean {
  return prefix.length <= path.length && prefix.every((part, index) => String(part) === String(path[index]))
}

function readSetting(text: string, diagnostics: Diagnostic[]): Setting | undefined {
  const equals = text.indexOf('=')
  if (equals < 1) {
    diagnostics.push({ file: `--set ${text}`, message: 'is not of the form KEY=VALUE, as --set depth=50' })
    return undefined
  }
  const key = text.slice(0, equals)
  const flag = `--set ${key}`
  const yaml = parseYaml(text.slice(equals + 1), flag)
  diagnostics.push(...yaml.diagnostics.map(({ message }) => ({ file: flag, message })))
  if (!yaml.readable) return undefined
  const path = key.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))
  return { path, value: yaml.value, flag }
}

/** `value` with the setting. A bare name becomes a map if the path continues below it. */
function withSetting(value: unknown, setting: Setting, depth: number): unknown {
  if (depth === setting.path.length) return setting.value
  const part = setting.path[depth]
  if (Array.isArray(value)) {
    if (typeof part !== 'number' || part >= value.length)
      throw new UserError(
        `${showPath(setting.path.slice(0, depth))} has ${value.length} entries, counted from 0; \`${part}\` does not exist`,
      )
    return value.map((item, index) => (index === part ? withSetting(item, setting, depth + 1) : item))
  }
  if (value == null || value === part) return { [part]: withSetting(undefined, setting, depth + 1) }
  if (!isMap(value))
    throw new UserError(
      `${showPath(setting.path.slice(0, depth))} is \`${value}\` and has no \`${part}\` below it`,
    )
  return {
    ...value,
    [part]: withSetting(Object.hasOwn(value, part) ? value[part] : undefined, setting, depth + 1),
  }
}

const SECRETS = 'KEYS?|TOKENS?|SECRETS?|PASS|PASSWORDS?|PASSWD|PASSPHRASE|PASSCODE|PWD|CREDENTIALS?|CREDS'
/** Variables whose values never belong in a file. */
const SECRET = new RegExp(`(^|_)(${SECRETS}|AUTH|PAT|PW)(_|\\d|$)|(${SECRETS})\\d*$`, 'i')
/** Credentials in an address: `://user:pass@`, or a key in its query. */
const CREDENTIALS = new RegExp(`://[^/?#\\s@]*@|[?&][\\w-]*(?:${SECRETS}|AUTH|SIG|SIGNATURE)=`, 'i')

function withEnvironment(
  value: unknown,
  path: Path,
  env: SourceOptions['env'],
  problems: Problem[],
): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => withEnvironment(item, [...path, index], env, problems))
  if (isMap(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, withEnvironment(item, [...path, key], env, problems)]),
    )
  if (typeof value !== 'string') return value
  const text = value.replace(/\$\{([^{}]*)\}/g, (whole, name) => {
    if (SECRET.test(name)) {
      refuse(
        problems,
        path,
        `\`${name}\` looks like a secret, and values of a config are written into results; programs and embedders read it themselves (\`apiKeyEnv: ${name}\`)`,
      )
      return whole
    }
    const setting = env[name]
    if (setting !== undefined) return setting
    refuse(problems, path, `the environment variable \`${name}\` is not set`)
    return whole
  })
  if (!text.includes('://') || !CREDENTIALS.test(text)) return text
  refuse(
    problems,
    path,
    'the address holds a user, password or key, and values of a config are written into results; leave it out',
  )
  return text.replace(/\/\/.*$/s, '//...')
}
