"""Runs cells of Python (a JSON list on stdin) one after another, as a notebook does: prints their outputs as JSON."""

import ast
import contextlib
import io
import json
import sys

space = {"__name__": "__main__"}
outputs = []
for source in json.load(sys.stdin):
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    shown = None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), space)
        if last is not None:
            shown = eval(compile(ast.Expression(last.value), "cell", "eval"), space)
    own = []
    if printed.getvalue():
        own.append({"output_type": "stream", "name": "stdout", "text": printed.getvalue()})
    if shown is not None:
        data = {"text/plain": repr(shown)}
        own.append({"output_type": "execute_result", "data": data, "metadata": {}})
    outputs.append(own)
json.dump(outputs, sys.stdout)
