import fc from 'fast-check'

// The same cases in every run: a red test is red again, and a green one stays so. FC_SEED looks elsewhere.
fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 42) })
