// What the other inlined scripts leave on the page.
declare const vega: typeof import('vega')
declare const vegaInterpreter: { readonly expressionInterpreter: unknown }
