// Globals of the other inlined scripts.
declare const vega: typeof import('vega')
declare const vegaInterpreter: { readonly expressionInterpreter: unknown }
