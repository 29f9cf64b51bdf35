import { anthropicWire } from '../wires/anthropic.ts'
import { defineProvider } from './define.ts'

export const anthropic = defineProvider({
  name: 'anthropic',
  summary: "Anthropic's messages",
  wire: anthropicWire,
  baseUrl: 'https://api.anthropic.com/v1',
  apiKeyEnv: 'ANTHROPIC_API_KEY',
})
