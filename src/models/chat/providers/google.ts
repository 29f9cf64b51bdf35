import { googleWire } from '../wires/google.ts'
import { defineProvider } from './define.ts'

export const google = defineProvider({
  name: 'google',
  summary: "Google's Gemini API",
  wire: googleWire,
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  apiKeyEnv: 'GEMINI_API_KEY',
})
