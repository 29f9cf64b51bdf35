import { compatibleWire } from '../wires/openai.ts'
import { defineProvider } from './define.ts'

export const openaiCompatibleProvider = defineProvider({
  name: 'openai-compatible',
  summary: "any server with OpenAI's chat API, local or remote",
  wire: compatibleWire,
})
