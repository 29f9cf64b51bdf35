import { createRegistry } from '../../../registry.ts'
import { anthropic } from './anthropic.ts'
import { azure } from './azure.ts'
import type { ChatProvider } from './define.ts'
import { google } from './google.ts'
import { openai } from './openai.ts'
import { openaiCompatibleProvider } from './openai-compatible.ts'

/** Every provider of language models, in the order of the docs. A new one is one file and one line here. */
export const chatProviders = createRegistry<ChatProvider>('model provider', [
  openai,
  azure,
  anthropic,
  google,
  openaiCompatibleProvider,
])
