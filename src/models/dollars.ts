import { z } from 'zod'

/** Cheaper models do not exist: such a price is dollars per token, as LiteLLM writes it, or per thousand tokens. */
const LOWEST = 0.001

export const dollarsPerMillion = z
  .number()
  .min(0)
  .max(1e6)
  .refine(
    (price) => price <= 0 || price >= LOWEST,
    'must be in dollars per million tokens; a price below 0.001 looks like one per token or per thousand tokens',
  )
