import { openaiWire } from '../wires/openai.ts'
import { defineProvider } from './define.ts'

export const openai = defineProvider({
  name: 'openai',
  summary: "OpenAI's chat completions",
  wire: openaiWire,
  baseUrl: 'https://api.openai.com/v1',
  apiKeyEnv: 'OPENAI_API_KEY',
})
