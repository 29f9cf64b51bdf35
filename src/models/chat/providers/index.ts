import { createRegistry } from '../../../registry.ts'
import { anthropicWire } from '../wires/anthropic.ts'
import { googleWire } from '../wires/google.ts'
import { koboldcppWire } from '../wires/koboldcpp.ts'
import { azureWire, compatibleWire, openaiWire } from '../wires/openai.ts'
import { type ChatProvider, defineProvider } from './define.ts'

/** Every provider of language models, in the order of the docs. */
export const chatProviders = createRegistry<ChatProvider>('model provider', [
  defineProvider({
    name: 'openai',
    summary: "OpenAI's chat completions",
    wire: openaiWire,
    baseUrl: 'https://api.openai.com/v1',
    apiKeyEnv: 'OPENAI_API_KEY',
  }),
  defineProvider({
    name: 'azure',
    summary: "OpenAI's models on Azure; `baseUrl` ends in /openai/v1, `model` names the deployment",
    wire: azureWire,
    apiKeyEnv: 'AZURE_OPENAI_API_KEY',
  }),
  defineProvider({
    name: 'anthropic',
    summary: "Anthropic's messages",
    wire: anthropicWire,
    baseUrl: 'https://api.anthropic.com/v1',
    apiKeyEnv: 'ANTHROPIC_API_KEY',
  }),
  defineProvider({
    name: 'google',
    summary: "Google's Gemini API",
    wire: googleWire,
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    apiKeyEnv: 'GEMINI_API_KEY',
  }),
  defineProvider({
    name: 'openai-compatible',
    summary: "any server with OpenAI's chat API, local or remote",
    wire: compatibleWire,
  }),
  defineProvider({
    name: 'koboldcpp',
    summary: "KoboldCpp's own endpoint; `model` names the loaded model, which its responses do not",
    wire: koboldcppWire,
    baseUrl: 'http://localhost:5001/api',
  }),
])
