import { azureWire } from '../wires/openai.ts'
import { defineProvider } from './define.ts'

export const azure = defineProvider({
  name: 'azure',
  summary: "OpenAI's models on Azure; `baseUrl` ends in /openai/v1, `model` names the deployment",
  wire: azureWire,
  apiKeyEnv: 'AZURE_OPENAI_API_KEY',
})
